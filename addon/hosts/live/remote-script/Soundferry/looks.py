"""Looks at clips that were made: what Live's late analysis or a person changed."""
from contextlib import suppress

from .live_set import pointer
from .warp import is_near, without

ANALYSIS = ("markers", "loop_start", "loop_end", "start_marker", "end_marker")


class Watch(object):
    """Notices in each tick what a person does to the clips of a run, and compares what each look reads."""

    def __init__(self, song, sounds):
        self._song, self._sounds, self._could_redo = song, sounds, True

    def notice(self):
        with suppress(Exception):
            opened = pointer(self._song().view.detail_clip)
            could_redo, self._could_redo = self._could_redo, getattr(self._song(), "can_redo", True)
            for sound in self._sounds:
                sound.is_opened |= opened is not None and opened == sound.clip_pointer
                sound.undone |= self._could_redo and not could_redo
                sound.touched |= sound.undone

    def look(self, sound, clip):
        """Reads a clip again, and records what a person changed."""
        before = sound.holds
        yield from sound.read(clip)
        changed = {name for name, value in before.items() if sound.holds.get(name, value) != value}
        if sound.plan["name"][:1] == "#":
            changed.discard("track")  # Live may show the track's number, which changes with its place.
        theirs = changed.difference(ANALYSIS if "markers" in changed or not sound.is_opened else ())
        sound.changed = sorted(theirs.union(sound.changed))
        sound.touched |= bool(theirs)

    def needs_repair(self, sound):
        """Checks whether an analysis replaced the markers, and whether the clip is nobody else's yet."""
        now, wanted = (sound.holds["markers"] or [])[:-1], sound.wanted_markers()
        if sound.is_repaired or not now or is_near(now, wanted):
            return False
        # A person moves, adds or removes one marker; an analysis replaces them all.
        kept = len(wanted) - len(without(wanted, now))
        sound.touched |= sound.is_opened
        is_theirs = sound.is_theirs or kept > 1 or (kept == 1 and len(now) <= len(wanted))
        return sound.holds.get("looping") == sound.planned["looping"] and not (sound.touched or is_theirs)
