"""Looks at clips that were made: what Live's late analysis or a person changed."""
import time
from contextlib import suppress

from .live_set import pointer
from .warp import is_near, without

ANALYSIS = ("markers", "loop_start", "loop_end", "start_marker", "end_marker")
LATE = ((0, 100), (0, 300), (60, 600), (240, 1200))  # From so many seconds of audio, after so many ticks.


class Watch(object):
    """Notices in each tick what a person does to the clips of a run, and compares what each look reads."""

    def __init__(self, song, sounds):
        self._song, self._sounds = song, sounds
        self._could_redo = self._can_redo()

    def notice(self):
        with suppress(Exception):
            opened = pointer(self._song().view.detail_clip)
            for sound in self._sounds:
                sound.is_opened = sound.is_opened or (opened is not None and opened == sound.clip_pointer)
        could_redo, self._could_redo = self._could_redo, self._can_redo()
        if self._could_redo and not could_redo:
            for sound in self._sounds:
                sound.undone = sound.touched = True

    def look(self, sound, clip):
        """Reads a clip again, and records what a person changed."""
        before = sound.holds
        yield from sound.read(clip)
        changed = {name for name in set(before).union(sound.holds) if before.get(name) != sound.holds.get(name)}
        if sound.plan["name"][:1] == "#":
            changed.discard("track")  # Live may show the track's number, which changes with its place.
        theirs = changed.difference(ANALYSIS if "markers" in changed or not sound.is_opened else ())
        sound.changed = sorted(theirs.union(sound.changed))
        sound.touched = sound.touched or bool(theirs)

    def needs_repair(self, sound):
        """Checks whether an analysis replaced the markers, and whether the clip is nobody else's yet."""
        now, wanted = (sound.holds["markers"] or [])[:-1], sound.wanted_markers()
        if sound.is_repaired or not now or is_near(now, wanted):
            return False
        # A person moves, adds or removes one marker; an analysis replaces them all.
        kept = len(wanted) - len(without(wanted, now))
        sound.touched = sound.touched or sound.is_opened
        return not (sound.touched or kept > 1 or (kept == 1 and len(now) <= len(wanted)))

    def _can_redo(self):
        with suppress(Exception):
            return bool(self._song().can_redo)
        return False


class LateLooks(object):
    """The looks at finished runs, each of which answers `watch`. They write nothing."""

    def __init__(self):
        self._runs = []

    def add(self, placing):
        """Plans the looks at a run, more of them for longer files."""
        seconds = max([each.seconds or 0 for each in placing.left()] or [0])
        dues = [placing.set_at + ticks for least, ticks in LATE if seconds >= least]
        self._runs.append({"placing": placing, "dues": dues, "waiting": [], "steps": None})

    def forget(self, placing):
        self._runs = [each for each in self._runs if each["placing"] is not placing]

    def ask(self, run, connection, number):
        """Keeps a request until the next look. Returns whether the run is known."""
        found = [each for each in self._runs if each["placing"].run == run]
        for each in found:
            each["waiting"].append((connection, number))
        return bool(found)

    def notice(self, tick):
        for each in self._runs:
            if each["dues"] and tick <= each["dues"][-1]:
                each["placing"].watch.notice()

    def due(self, tick):
        return [each for each in self._runs if each["waiting"] and not tick < (each["dues"] or [tick])[0]]

    def go_on(self, tick, deadline):
        """Carries out the looks that are due, and answers those who wait."""
        for each in self.due(tick):
            steps = each["steps"] = each["steps"] or each["placing"].look_late()
            while time.perf_counter() < deadline:
                if next(steps, steps) is steps:
                    each["steps"], each["dues"] = None, [due for due in each["dues"] if due > tick]
                    answer = dict(each["placing"].answer, more=bool(each["dues"]))
                    for connection, number in each["waiting"]:
                        connection.send(dict(answer, id=number))
                    each["waiting"] = []
                    break
