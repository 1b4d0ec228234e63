"""What a run has in the Set, and how it is removed again."""
from contextlib import suppress

from .live_set import index_of, note_run, pointer, read_mark, write_mark
from .scene import Scene
from .sound import Sound, put

REPORTED = "sound earlier error attempt refused holds skipped touched changed undone".split()


class Gone(ValueError):
    """The person removed it."""


class Run(object):
    answer = _tempo_before = None
    _has_step = _is_ending = _reads_only = False

    def __init__(self, song, request, folders):
        self.run, plan, self._tempo = request["run"], request["scene"], request.get("tempo")
        self._about = {"run": self.run, "package": request["package"], "scene": plan["name"]}
        self._sounds = [Sound(each, folders) for each in request["tracks"]]
        self._song, self._scene, self.waiting, self._stays = song, Scene(song, plan), [], []

    def left(self):
        return [each for each in self._sounds if each.error is None and each.skipped is None]

    def tell(self, news, is_over):
        """Tells all clients that wait for it."""
        for connection, number in self.waiting:
            connection.send(dict(news, id=number))
        self.waiting = [] if is_over else self.waiting

    def _make_answer(self):
        tracks = [{name: getattr(each, name) for name in REPORTED} for each in self._sounds]
        self.answer = {"ok": {"run": self.run, "scene": self._scene.told(), "tracks": tracks, "stays": self._stays}}

    def _find(self, held):
        """Finds what an earlier start of the script made, by the marks."""
        for sound in self._sounds:
            sound.track, mark = held.get(sound.sound, (None, {}))
            sound.attempt, sound.earlier = mark.get("attempt", 0), mark.get("earlier")
        for track, mark in held.values():
            full = [scene for scene, slot in zip(self._song().scenes, track.clip_slots) if slot.has_clip]
            named = [scene for scene in full if scene.name == self._about["scene"]]
            self._scene.scene, self._scene.taken = (named or full or [self._scene.scene])[-1], mark.get("taken")
            for sound in self._sounds:
                sound.skipped = None if sound.track else mark.get("skipped")
            if named:
                break

    def _each(self, verb, steps, sounds=None):
        for sound in self.left() if sounds is None else sounds:
            yield from self._guard(verb, sound, steps)

    def _guard(self, verb, sound, steps):
        """Carries out a sound's steps; an error fails only that sound."""
        try:
            yield from steps(sound) if sound.error is None else ()
        except Exception as error:
            sound.error = {"step": "%s the clip %s" % (verb, sound.planned["name"]), "message": str(error)}
            try:
                sound.clip_pointer and self._clip(sound)
            except Gone as gone:  # Live's own words for it say nothing.
                sound.error["message"] = str(gone)
            except Exception:
                pass

    def _slot(self, sound):
        row = self._scene.row()
        if row < 0 or not sound.track or read_mark(sound.track).get("sound") != sound.sound:
            raise Gone("its scene or its track was removed")
        return sound.track.clip_slots[row]

    def _clip(self, sound):
        clip = self._slot(sound).clip
        if clip is None or sound.clip_pointer not in (None, pointer(clip)):
            raise Gone("its clip was deleted")
        sound.clip, sound.clip_pointer = clip, pointer(clip)
        return clip

    def _open_step(self):
        """Begins an undo step. Live nests none: one that was left open would swallow this one."""
        if not self._has_step:
            self._song().end_undo_step()
            self._song().begin_undo_step()
            self._has_step = True

    def _close_step(self):
        if self._has_step:
            self._has_step = False
            self._song().end_undo_step()

    def _take_back(self, refusal):
        """Removes everything that was made, at most once, and answers with the refusal."""
        is_over, self._is_ending = self._is_ending or self._reads_only, True
        if not is_over:
            with suppress(Exception):
                self._open_step()
            yield from self._remove(self._sounds, True)
        said = getattr(refusal, "error", {"code": "refused", "message": str(refusal), "step": "go on"})
        self.answer = {"error": dict(said, stays=self._stays)}
        self._end(self._tempo_before)

    def _end(self, tempo):
        restore = lambda: tempo is None or put(self._song(), "tempo", tempo)
        for call in (lambda: note_run(self._song(), self.run, None), self._close_step, restore):
            with suppress(Exception):  # The answer must be sent in any case.
                call()

    def _remove_lost(self):
        """Removes what failed; without any sound, the scene, too."""
        lost = [each for each in self._sounds if each.error and each.track]
        if lost:
            self._open_step()
            yield from self._remove(lost, not self.left())

    def _remove(self, sounds, with_scene):
        """Removes everything, each thing by one try: Live may refuse it, but must not be asked for ever."""
        for sound in reversed(sounds):
            track, name = sound.track, sound.plan["name"]
            if track is None:
                continue
            yield
            with suppress(Exception):
                name = track.name
            try:
                (self._clear if sound.earlier else self._delete)(sound)
            except Gone:
                pass
            except Exception:
                with suppress(Exception):
                    name = name if index_of(self._song().tracks, track) >= 0 else None
                self._stays += [name] if name else []
            sound.track = None
        if with_scene:
            yield
            name = self._scene.remove()
            self._stays += [name] if name else []

    def _clear(self, sound):
        """Gives an earlier track back as it was."""
        write_mark(sound.track, sound.earlier)
        self._clip(sound)
        self._slot(sound).delete_clip()

    def _delete(self, sound):
        index = index_of(self._song().tracks, sound.track)
        # The person may have removed the track, and Live may give its address to another one.
        if index >= 0 and (not sound.is_marked or read_mark(sound.track).get("run") == self.run):
            self._song().delete_track(index)
