"""The slot in which a track and a scene cross."""

import os

from live_model.auto_warp import finish_analysis, make_fresh
from live_model.members import LiveObject, check, forbidden, live_method, live_property
from live_model.state import AUDIO, ClipState
from live_model.warp import Refusal
from live_model.wav import read_wav
from live_model.world import world

from .Clip import Clip


class ClipSlot(LiveObject):
    """Takes one clip."""

    @live_property
    def has_clip(self, slot):
        """True if it has a clip."""
        return slot.clip is not None

    @live_property
    def clip(self, slot):
        """The clip, or None."""
        return None if slot.clip is None else Clip(slot.clip)

    @live_property
    def canonical_parent(self, slot):
        """The slot's track."""
        from .Track import Track

        return Track(_track_of(slot))

    @live_property
    def is_group_slot(self, slot):
        """True if the track is a group."""
        return False

    @live_property
    def is_playing(self, slot):
        """True while the clip plays."""
        return False

    @live_property
    def is_triggered(self, slot):
        """True while the clip waits to play."""
        return False

    @live_method(changes=True, since=((11, 3, 25), (12, 0, 5)))
    def create_audio_clip(self, slot, path):
        """Put the file at an absolute path into the slot."""
        check(str, path, "ClipSlot.create_audio_clip")
        track = _track_of(slot)
        if track.kind != AUDIO:
            raise Refusal("NOT_AN_AUDIO_TRACK", "Audio clips can only be created on audio tracks")
        if track.frozen:
            raise Refusal("FROZEN_TRACK", "The track is frozen")
        if slot.clip is not None:
            raise Refusal("FULL_SLOT", "The clip slot is not empty")
        slot.clip = clip = _open(path)
        habits = world.habits.of_file(path)
        make_fresh(clip, world.set.tempo, habits)
        if habits.creating_selects:
            world.set.select(detail_clip=clip.id)
        if habits.analysis_ticks > 0:
            world.defer(habits.analysis_ticks, clip.id, _finish)
        return Clip(clip) if habits.create_returns_clip else None

    @live_method(changes=True)
    def delete_clip(self, slot):
        """Empty it."""
        if slot.clip is None:
            raise Refusal("EMPTY_SLOT", "The clip slot is empty")
        world.set.remove_clip(slot)

    @live_method()
    def fire(self, slot, *given):
        """Launch its clip."""
        forbidden("fire", "LAUNCHES", "ClipSlot")

    @live_method()
    def stop(self, slot):
        """Stop its track."""
        forbidden("stop", "STOPS", "ClipSlot")


def _track_of(slot):
    return slot.track


def _open(path):
    if not os.path.isabs(path):
        raise Refusal("BAD_PATH", "The path is not absolute")
    try:
        frames, rate = read_wav(path)
    except (OSError, ValueError):
        raise Refusal("BAD_PATH", "The file could not be opened: %s" % path)
    played = os.path.realpath(path) if world.habits.file_paths == "resolved" else path
    clip = ClipState(world.set, played, frames, rate)
    clip.name = os.path.splitext(os.path.basename(path))[0]
    return clip


def _finish(clip):
    habits = world.habits.of_file(clip.file_path)
    if habits.analysis_overwrites == "always" or not clip.touched:
        finish_analysis(clip, world.set.tempo, habits)
    if habits.analysis_again_ticks > 0 and not clip.is_analyzed_again:
        clip.is_analyzed_again = True
        world.defer(habits.analysis_again_ticks, clip.id, _finish)
