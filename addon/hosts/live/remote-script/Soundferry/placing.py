"""The placement of a layout in the Set, a little in each of Live's ticks, and its read-back."""
import time
from contextlib import suppress

import Live

from .live_set import index_of, note_run, read_mark, write_mark
from .server import Refusal
from .sound import Sound, put

LATER = object()
REPORTED = ("sound", "earlier", "error", "attempt", "refused", "holds")
TICKS_FOR_WARPING, TICKS_FOR_ANALYSIS, ROUNDS = 100, 5, 5


class Placing(object):
    def __init__(self, song, request, folders):
        self.run, self._plan, self._tempo = request["run"], request["scene"], request.get("tempo")
        self._about = {"run": self.run, "package": request["package"], "scene": self._plan["name"]}
        self._sounds = [Sound(plan, folders) for plan in request["tracks"]]
        self._song, self._scene, self._gains, self.answer, self._tempo_before = song, None, {}, None, None
        self._steps, self.wakes_at, self.placed, self.total = self._place(), 0, 0, len(self._sounds)

    def advance(self, tick, deadline):
        """Continues until the deadline, or until Live has to tick; returns True once the answer is there."""
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
        self._steps, self.wakes_at = self._take_back(Refusal("cancelled", "The import was cancelled.")), 0

    def _place(self):
        marks, stays = [(track, read_mark(track)) for track in self._song().tracks], []
        held = {mark["sound"]: (track, mark) for track, mark in marks if mark.get("run") == self.run}
        if self.run in read_mark(self._song()):
            self.answer = {"error": Refusal("held", "The Set holds a part of it.").error}
            return
        if not held:
            yield from self._make()
        yield from self._each("read back", lambda sound: self._read(sound, held))
        if not held:
            lost = [each for each in self._sounds if each.error]
            stays = yield from self._remove(lost, len(lost) == len(self._sounds))
            for sound in self._left():
                yield sound.mark(self._about)
            self._end(None if self._left() else self._tempo_before)
        scene = self._scene and {"name": self._scene.name, "color": self._scene.color_index}
        tracks = [{name: getattr(each, name) for name in REPORTED} for each in self._sounds]
        self.answer = {"ok": {"run": self.run, "scene": scene, "tracks": tracks, "stays": stays}}

    def _make(self):
        yield from self._make_scene(self._song())
        for sound in self._sounds:
            song, step = self._song(), "make the track %s" % sound.plan["name"]
            sound.take_earlier(song.tracks)
            sound.track = sound.track or self._ask(step, "tracks", len(song.tracks), song.create_audio_track, -1)
            sound.mark(self._about)
            yield from () if sound.earlier else sound.set_track()
        yield LATER
        yield from self._each("make", lambda sound: sound.make_clip(self._slot(sound)))
        for _ in range(TICKS_FOR_WARPING):
            yield LATER
            yield from self._each("warp", lambda sound: sound.check_warping(self._clip(sound)))
            if all(each.is_right for each in self._left()):
                break
        yield from self._each("warp", lambda sound: sound.lay_out(self._clip(sound)))
        yield LATER
        for sound in self._left():
            yield from self._guard("set", sound, lambda sound: sound.set_clip(self._clip(sound), self._gains))
            self.placed += 1
        for _ in range(ROUNDS):
            # Live may refuse a loop's end, or finish its own analysis afterwards: then the clip is set again.
            yield from [LATER] * TICKS_FOR_ANALYSIS
            yield from self._each("check", lambda sound: sound.check(self._clip(sound)))
            wrong = [each for each in self._left() if not each.is_right]
            if not wrong:
                break
            yield from self._each("warp", lambda sound: sound.lay_out(self._clip(sound)), wrong)
            yield LATER
            yield from self._each("set", lambda sound: sound.place_bounds(self._clip(sound)), wrong)

    def _make_scene(self, song):
        scenes, row = list(song.scenes), self._plan["index"]
        row = index_of(scenes, song.view.selected_scene) + 1 if row is None else row
        row = row if 0 < row < len(scenes) else -1
        # Live doesn't nest undo steps: one that was left open would swallow this one.
        song.end_undo_step()
        song.begin_undo_step()
        note_run(song, self.run, dict(self._about, row=row, scenes=len(scenes), tracks=len(song.tracks)))
        if self._tempo is not None:
            self._tempo_before, song.tempo = song.tempo, float(self._tempo)
        self._scene = self._ask("make the scene", "scenes", len(scenes), song.create_scene, row)
        for setting, value in (("name", "name"), ("color_index", "color"), ("tempo", "tempo")):
            if self._plan[value] is not None:
                with suppress(Exception):  # The answer contains the scene's actual settings.
                    put(self._scene, setting, self._plan[value])
            yield

    def _read(self, sound, held):
        if held:
            (sound.track, mark), scenes = held[sound.sound], self._song().scenes
            sound.attempt, sound.earlier = mark["attempt"], mark.get("earlier")
            full = [scene for scene, slot in zip(scenes, sound.track.clip_slots) if slot.has_clip]
            self._scene = ([scene for scene in full if scene.name == self._plan["name"]] or full)[-1]
        yield from sound.read(self._clip(sound))

    def _each(self, verb, steps, sounds=None):
        for sound in self._left() if sounds is None else sounds:
            yield from self._guard(verb, sound, steps)

    def _guard(self, verb, sound, steps):
        """Carries out a sound's steps; an error fails only that sound."""
        try:
            yield from steps(sound)
        except Exception as error:
            sound.error = {"step": "%s the clip %s" % (verb, sound.plan["clip"]["name"]), "message": str(error)}

    def _ask(self, step, what, count, call, *arguments):
        try:
            return call(*arguments)
        except Exception as error:
            code = "limit" if isinstance(error, Live.Base.LimitationError) else "refused"
            raise Refusal(code, str(error), step=step, what=what, count=count)

    def _take_back(self, refusal):
        """Removes everything that was made, and answers with the refusal."""
        said = getattr(refusal, "error", {"code": "refused", "message": str(refusal), "step": "go on"})
        stays = yield from self._remove(self._sounds, True)
        self.answer = {"error": dict(said, stays=stays)}
        self._end(self._tempo_before)

    def _end(self, tempo):
        restore = lambda: tempo is None or put(self._song(), "tempo", tempo)
        for call in (lambda: note_run(self._song(), self.run, None), self._song().end_undo_step, restore):
            with suppress(Exception):  # The answer must be sent in any case.
                call()

    def _remove(self, sounds, with_scene):
        song, stays = self._song(), []
        made = [each for each in reversed(sounds) if each.track and not each.earlier]
        things = [(song.delete_track, "tracks", each.track) for each in made]
        for sound in [each for each in sounds if each.earlier]:
            with suppress(Exception):  # There may be no clip, and the person may have removed the track.
                write_mark(sound.track, sound.earlier)
                self._slot(sound).delete_clip()
        unmarked = [each.track for each in sounds if not each.is_marked]
        if with_scene and self._scene:
            things.append((song.delete_scene, "scenes", self._scene))
            self._scene = None
        for delete, where, thing in things:
            yield
            index = index_of(getattr(song, where), thing)
            try:
                # The person may have removed the track, and Live may give its address to another one.
                is_ours = where == "scenes" or thing in unmarked or read_mark(thing).get("run") == self.run
                if index >= 0 and is_ours:
                    delete(index)
            except Exception:
                stays.append(thing.name)
        return stays

    def _left(self):
        return [each for each in self._sounds if each.error is None]

    def _slot(self, sound):
        row = index_of(self._song().scenes, self._scene)
        if row < 0 or read_mark(sound.track).get("sound") != sound.sound:
            raise ValueError("its scene or its track was removed")
        return sound.track.clip_slots[row]

    def _clip(self, sound):
        return self._slot(sound).clip
