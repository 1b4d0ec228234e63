"""Places a layout in the Set, a little in each of Live's ticks, and reads it back."""
import time

import Live

from .marks import index_of, marked_tracks, note_run, read_mark
from .server import Refusal
from .sound import Sound, put

LATER = object()
TICKS_FOR_WARPING, ROUNDS = 100, 5


class Placing(object):
    def __init__(self, song, request, folders):
        self.run, self._package, self._plan = request["run"], request["package"], request["scene"]
        self._sounds = [Sound(plan, folders) for plan in request["tracks"]]
        self._song, self._scene, self._gains = song, None, {}
        self._steps, self._wake, self.placed, self.answer = self._place(), 0, 0, None

    def advance(self, tick, deadline):
        """Goes on until the deadline, or until Live needs its turn; returns whether the answer is there."""
        while tick >= self._wake and time.perf_counter() < deadline:
            try:
                if next(self._steps) is LATER:
                    self._wake = tick + 1
            except StopIteration:
                return True
            except Refusal as refusal:
                self._steps = self._take_back(refusal)
        return False

    def cancel(self):
        self._steps, self._wake = self._take_back(Refusal("cancelled", "The import was cancelled.")), 0

    def leave(self):
        self._song().end_undo_step()

    def progress(self):
        return {"placed": self.placed, "total": len(self._sounds)}

    def _place(self):
        song, marks = self._song(), marked_tracks(self._song())
        held = {mark["sound"]: (track, mark) for track, mark in marks if mark.get("run") == self.run}
        if held and all(mark["done"] for _, mark in held.values()) and self.run not in read_mark(song):
            for sound in self._sounds:
                sound.track, mark = held.get(sound.id, (None, {"attempt": 0}))
                sound.attempt = mark["attempt"]
        elif held or self.run in read_mark(song):
            raise Refusal("held", "The Set holds a part of it.")
        else:
            yield from self._make_scene(song)
            for sound in self._sounds:
                yield from self._make_track(sound)
            yield LATER
            yield from self._each("make", lambda sound: sound.make_clip(self._slot(sound)))
            for _ in range(TICKS_FOR_WARPING):
                yield LATER
                if all(each.is_warped_as_planned(self._clip(each)) for each in self._left()):
                    break
            yield from self._each("warp", lambda sound: sound.lay_out(self._clip(sound)))
            yield LATER
            for sound in self._left():
                yield from self._guard("set", sound, lambda one: one.set_clip(self._clip(one), self._gains))
                self.placed += 1
            yield from self._correct()
        for sound in self._sounds:
            if sound.track is None:
                sound.error = {"step": "find the track", "message": "it isn't in the Set"}
        yield from self._each("read back", lambda sound: sound.read(self._clip(sound)))
        lost = [each for each in self._sounds if each.error]
        stays = yield from self._remove(lost, len(lost) == len(self._sounds))
        for sound in self._left():
            yield self._mark(sound, True)
        note_run(song, self.run, None)
        song.end_undo_step()
        scene = self._scene and {"name": self._scene.name, "color": self._scene.color_index}
        tracks = [sound.result() for sound in self._sounds]
        self.answer = {"ok": {"run": self.run, "scene": scene, "tracks": tracks, "stays": stays}}

    def _make_scene(self, song):
        scenes, row = list(song.scenes), self._plan["index"]
        if row is None:
            row = index_of(scenes, song.view.selected_scene) + 1
        row = row if 0 < row < len(scenes) else len(scenes)
        # Live doesn't count nested steps: one that was left open would swallow this one.
        song.end_undo_step()
        song.begin_undo_step()
        sizes = {"row": row, "scenes": len(scenes), "tracks": len(song.tracks)}
        note_run(song, self.run, dict(sizes, package=self._package, scene=self._plan["name"]))
        index = -1 if row == len(scenes) else row
        self._scene = self._ask("make the scene", "scenes", len(scenes), song.create_scene, index)
        for setting, value in (("name", "name"), ("color_index", "color"), ("tempo", "tempo")):
            if self._plan[value] is not None:
                yield put(self._scene, setting, self._plan[value])

    def _make_track(self, sound):
        song, step = self._song(), "make the track %s" % sound.plan["name"]
        sound.track = self._ask(step, "tracks", len(song.tracks), song.create_audio_track, -1)
        self._mark(sound, False)
        yield from sound.set_track()

    def _correct(self):
        """Live may refuse a loop's end, or finish its own analysis after ours: then the clip is set again."""
        for _ in range(ROUNDS):
            yield LATER
            wrong = [each for each in self._left() if not each.is_as_planned(self._clip(each))]
            if not wrong:
                break
            for sound in wrong:
                sound.try_next()
                yield from self._guard("set", sound, lambda one: one.lay_out(self._clip(one)))
            yield LATER
            for sound in wrong:
                yield from self._guard("set", sound, lambda one: one.place_bounds(self._clip(one)))

    def _each(self, verb, steps):
        for sound in self._left():
            yield from self._guard(verb, sound, steps)

    def _guard(self, verb, sound, steps):
        """One sound's trouble costs only that sound."""
        try:
            yield from steps(sound)
        except Exception as error:
            sound.error = {"step": "%s the clip %s" % (verb, sound.plan["clip"]["name"]), "message": str(error)}

    def _ask(self, step, what, count, call, *arguments):
        try:
            return call(*arguments)
        except Live.Base.LimitationError as error:
            raise Refusal("limit", str(error), what=what, count=count)
        except Exception as error:
            raise Refusal("refused", str(error), step=step)

    def _take_back(self, refusal):
        """Removes everything that was made, and answers with the refusal."""
        stays = yield from self._remove(self._sounds, True)
        note_run(self._song(), self.run, None)
        self._song().end_undo_step()
        self.answer = {"error": dict(refusal.error, stays=stays)}

    def _remove(self, sounds, with_scene):
        song, stays = self._song(), []
        things = [(song.delete_track, lambda: song.tracks, each.track) for each in reversed(sounds) if each.track]
        if with_scene and self._scene:
            things.append((song.delete_scene, lambda: song.scenes, self._scene))
        for delete, read_all, thing in things:
            yield
            index = index_of(read_all(), thing)
            try:
                if index >= 0:
                    delete(index)
            except Exception:
                stays.append(thing.name)
        return stays

    def _left(self):
        return [each for each in self._sounds if each.error is None]

    def _slot(self, sound):
        return sound.track.clip_slots[index_of(self._song().scenes, self._scene)]

    def _clip(self, sound):
        return self._slot(sound).clip

    def _mark(self, sound, is_done):
        sound.mark(self.run, self._package, self._scene.name, is_done)
