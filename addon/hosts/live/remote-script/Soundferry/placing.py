"""The placement of a layout in the Set, a little in each of Live's ticks, and its read-back."""
import time
from contextlib import suppress

from .live_set import note_run, read_mark
from .looks import Watch
from .run import Run
from .selection import Selection
from .server import Refusal

LATER = object()
REPORTED = "sound earlier error attempt refused holds skipped touched changed undone".split()
TICKS_FOR_WARPING, TICKS_FOR_BOUNDS, ROUNDS, LOOKS = 100, 2, 8, (10, 30)


class Placing(Run):
    def __init__(self, song, request, folders):
        Run.__init__(self, song, request, folders)
        self._steps, self.wakes_at, self.placed, self.total = self._place(), 0, 0, len(self._sounds)
        self._tick, self.set_at, self._gains, self._reads_only = 0, None, {}, False
        self.watch, self._selection = Watch(song, self._sounds), None

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
                if self._is_ending or self._reads_only:
                    self._give_up(error)
                    return True
                self._steps = self._take_back(error)
        return False

    def cancel(self):
        if not self._is_ending:
            self._steps, self.wakes_at = self._take_back(Refusal("cancelled", "The import was cancelled.")), 0

    def look_late(self):
        """Reads everything again, for the answer."""
        for sound in self.left():
            try:
                clip = self._clip(sound)
            except Exception:
                sound.touched, sound.changed = True, ["clip"]
                continue
            try:
                yield from self.watch.look(sound, clip)
            except Exception:
                sound.holds = {"track": sound.holds.get("track")}
        self._tell()

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
        self.set_at = self._tick if self.set_at is None else self.set_at
        if not held:
            yield from self._finish()
            for ticks in LOOKS:
                yield from self._wait(self.set_at + ticks - self._tick)
                yield from self._look()
        self._tell()

    def _tell(self):
        scene, tracks = None, [{name: getattr(each, name) for name in REPORTED} for each in self._sounds]
        with suppress(Exception):  # The person may have removed it.
            scene = self._scene.told()
        self.answer = {"ok": {"run": self.run, "scene": scene, "tracks": tracks, "stays": self._stays}}

    def _make(self, marks):
        self._selection = Selection(self._song)
        yield from self._make_scene(self._song())
        for sound in self._sounds:
            sound.take_earlier(marks)
        for sound in self._sounds:
            yield from self._make_track(sound)
        yield LATER
        self._selection.restore()
        yield from self._each("make", self._make_clip)
        for _ in range(TICKS_FOR_WARPING):
            yield LATER
            yield from self._each("warp", lambda sound: sound.check_warping(self._clip(sound)))
            if all(each.is_right for each in self.left()):
                break
        self._selection.restore()
        yield from self._each("warp", lambda sound: sound.lay_out(self._clip(sound)))
        yield LATER
        for sound in self.left():
            yield from self._guard("set", sound, lambda sound: sound.set_clip(self._clip(sound), self._gains))
            self.placed += 1
        self.set_at = self._tick
        yield from self._try_attempts(self.left())

    def _make_scene(self, song):
        row, note = self._scene.choose_row(), dict(self._about, scenes=len(song.scenes), tracks=len(song.tracks))
        self._open_step()
        note_run(song, self.run, dict(note, row=row))
        if self._tempo is not None:
            self._tempo_before, song.tempo = song.tempo, float(self._tempo)
        try:
            self._scene.scene = self._ask("make the scene", "scenes", note["scenes"], song.create_scene, row)
            self._selection.restore(self._scene.scene)
        except Refusal as refusal:
            if refusal.error["code"] != "limit" or not self._scene.take(read_mark(song)):
                raise
            self._about["taken"] = self._scene.taken
            note_run(song, self.run, dict(note, row=self._scene.row(), taken=self._scene.taken))
        yield from self._scene.set_up()

    def _make_track(self, sound):
        song, step = self._song(), "make the track %s" % sound.plan["name"]
        sound.skipped = None if sound.track else self._about.get("skipped")
        if not (sound.track or sound.skipped):
            try:
                sound.track = self._ask(step, "tracks", len(song.tracks), song.create_audio_track, -1)
                self._selection.restore(sound.track)
            except Refusal as refusal:
                # What fits is placed, and Live isn't asked again.
                if refusal.error["code"] != "limit" or not any(each.track for each in self._sounds):
                    raise
                error = refusal.error
                sound.skipped = self._about["skipped"] = {"what": error["what"], "count": error["count"]}
        if sound.track:
            sound.mark(self._about)
            yield from () if sound.earlier else sound.set_track()

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
        yield from self._each("read back", lambda sound: self.watch.look(sound, self._clip(sound)))
        broken = [each for each in self.left() if self.watch.needs_repair(each)]
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
            self.watch.notice()

    def _finish(self):
        """Notes in the Set that all is made."""
        yield from self._remove_lost()
        for sound in self.left():
            yield sound.mark(self._about)
        if self._scene:
            yield self._scene.set_color()
        self._end(None if self.left() else self._tempo_before)
