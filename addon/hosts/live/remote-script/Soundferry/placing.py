"""The placement of a layout in the Set, a little in each of Live's ticks, and its read-back."""
import time

import Live

from .live_set import note_run, read_mark
from .looks import Watch
from .run import Gone, Run
from .selection import Selection
from .server import Refusal

LATER = object()
TICKS_FOR_WARPING, TICKS_FOR_BOUNDS, ROUNDS, LOOKS = 100, 2, 8, (10, 30)
LATE = (0, 100), (0, 300), (60, 600), (240, 1200)  # From so many seconds of audio, after so many ticks.


class Placing(Run):
    wakes_at = placed = _tick = 0
    _set_at = _late = None

    def __init__(self, song, request, folders):
        Run.__init__(self, song, request, folders)
        self._steps, self.total, self._gains, self.dues = self._place(), len(self._sounds), {}, []
        self._watch, self._selection = Watch(song, self._sounds), Selection(song)

    def advance(self, tick, deadline):
        """Continues until the deadline, or until Live has to tick; returns True once the answer is there."""
        self._tick = tick
        while tick >= self.wakes_at and time.perf_counter() < deadline:
            try:
                if next(self._steps) is LATER:
                    self.wakes_at = tick + 1
            except StopIteration:
                return True
            except Exception as error:
                self._steps = self._take_back(error)
        return False

    def cancel(self):
        if not self._is_ending:
            refusal, self._reads_only, self.wakes_at = Refusal("cancelled", "The import was cancelled."), False, 0
            self._steps = self._take_back(refusal)

    def look_late(self, tick, deadline):
        """Continues a look that is due; returns True once the answer has what was read. Nothing is written."""
        if self.dues and tick < self.dues[0]:
            return False
        self._late = self._late or self._read_late()
        while time.perf_counter() < deadline:
            if next(self._late, LATER) is LATER:
                self._late, self.dues = None, [due for due in self.dues if due > tick]
                return True
        return False

    def notice(self, tick):
        if self.dues and tick <= self.dues[-1]:
            self._watch.notice()

    def _read_late(self):
        for sound in self.left():
            try:
                yield from self._watch.look(sound, self._clip(sound))
            except Gone:
                sound.touched, sound.changed = True, ["clip"]
            except Exception:
                sound.holds = {}
        self._make_answer()

    def _place(self):
        marks = [(track, read_mark(track)) for track in self._song().tracks]
        held = {mark["sound"]: (track, mark) for track, mark in marks if mark.get("run") == self.run}
        if self.run in read_mark(self._song()):
            self.answer = {"error": Refusal("held", "The Set holds a part of it.").error}
            return
        self._reads_only = bool(held)
        if held:
            self._find(held)
        else:
            yield from self._make(marks)
        yield from self._each("read back", lambda sound: sound.read(self._clip(sound)))
        self._set_at = self._tick if self._set_at is None else self._set_at
        if not held:
            yield from self._finish()
            for ticks in LOOKS:
                yield from self._wait(self._set_at + ticks - self._tick)
                yield from self._look()
        longest = max([each.seconds for each in self.left()] or [0])
        self._reads_only = False
        self.dues = [self._set_at + ticks for seconds, ticks in LATE if longest >= seconds]
        self._make_answer()

    def _make(self, marks):
        yield from self._make_scene(self._song())
        for sound in self._sounds:
            sound.take_earlier(marks)
        for sound in self._sounds:
            yield from self._make_track(self._song(), sound)
        yield LATER
        self._selection.restore()
        yield from self._each("make", self._make_clip)
        for _ in range(TICKS_FOR_WARPING):
            yield LATER
            yield from self._each("warp", lambda sound: sound.check_warping(self._clip(sound)))
            self._selection.restore()
            if all(each.is_right for each in self.left()):
                break
        yield from self._each("warp", lambda sound: sound.lay_out(self._clip(sound)))
        yield LATER
        for sound in self.left():
            yield from self._guard("set", sound, lambda sound: sound.set_clip(self._clip(sound), self._gains))
            self.placed += 1
        self._set_at = self._tick
        yield from self._try_attempts(self.left())

    def _make_scene(self, song):
        row, counts = self._scene.choose_row(), {"scenes": len(song.scenes), "tracks": len(song.tracks)}
        self._open_step()
        note_run(song, self.run, dict(self._about, row=row, **counts))
        if self._tempo is not None:
            self._tempo_before, song.tempo = song.tempo, float(self._tempo)
        made = self._ask("the scene", counts, "scenes", lambda: song.create_scene(row), self._scene.take)
        self._scene.scene = made or self._scene.scene
        if self._scene.taken:
            self._about["taken"] = self._scene.taken
            note_run(song, self.run, dict(self._about, row=self._scene.row(), **counts))
        yield from self._scene.set_up()

    def _make_track(self, song, sound):
        counts, has_one = {"tracks": len(song.tracks)}, lambda: any(each.track for each in self._sounds)
        # What fits is placed. Once Live has taken no more, it isn't asked again.
        if not (sound.track or "skipped" in self._about):
            create = lambda: song.create_audio_track(-1)
            sound.track = self._ask("the track %s" % sound.plan["name"], counts, "tracks", create, has_one)
        if sound.track:
            sound.mark(self._about)
            yield from () if sound.earlier else sound.set_track()
        else:
            sound.skipped = self._about.setdefault("skipped", {"what": "tracks", "count": counts["tracks"]})

    def _ask(self, thing, counts, what, create, is_enough):
        """Makes a thing. Returns None where Live takes no more, and that is enough."""
        try:
            made = create()
        except Exception as error:
            code = "limit" if isinstance(error, Live.Base.LimitationError) else "refused"
            if code == "limit" and is_enough():
                return None
            raise Refusal(code, str(error), step="make " + thing, what=what, count=counts[what])
        self._selection.restore(made)
        return made

    def _make_clip(self, sound):
        slot = self._slot(sound)
        yield from sound.make_clip(slot)
        self._selection.restore(self._clip(sound))

    def _try_attempts(self, sounds):
        """Where Live refused an attempt, tries the next one."""
        for _ in range(ROUNDS):
            yield from self._wait(TICKS_FOR_BOUNDS)
            yield from self._each("check", lambda sound: sound.check(self._clip(sound)), sounds)
            sounds = [each for each in sounds if each.tries_again and not (each.error or each.is_opened)]
            if not sounds:
                break
            yield from self._lay_out(sounds)

    def _lay_out(self, sounds):
        yield from self._each("warp", lambda sound: sound.lay_out(self._clip(sound)), sounds)
        yield LATER
        yield from self._each("set", lambda sound: sound.place_bounds(self._clip(sound)), sounds)

    def _look(self):
        """Reads everything again, and once repairs the markers that a late analysis replaced."""
        yield from self._each("read back", lambda sound: self._watch.look(sound, self._clip(sound)))
        broken = [each for each in self.left() if self._watch.needs_repair(each)]
        if broken:
            self._open_step()
            for sound in broken:
                sound.is_repaired = True
            yield from self._lay_out(broken)
            yield from self._try_attempts(broken)
            yield from self._each("read back", lambda sound: sound.read(self._clip(sound)), broken)
        yield from self._remove_lost()
        self._close_step()

    def _wait(self, ticks):
        for _ in range(ticks):
            yield LATER
            self._watch.notice()
            for sound in self.left():
                sound.notice()

    def _finish(self):
        """Notes in the Set that all is made."""
        yield from self._remove_lost()
        for sound in self.left():
            yield sound.mark(self._about)
        self._end(None if self.left() else self._tempo_before)
