"""Makes one clip the right way, one step in each tick. A wrong script does one step wrong."""

import os

import Live


def make(song):
    """A clip on a new track."""
    track = song.create_audio_track(-1)
    track.clip_slots[0].create_audio_clip(os.environ["SOUND"])


def warp(song):
    """Takes effect after this tick."""
    clip_in(song).warping = True
    clip_in(song).warp_mode = 0


def place_markers(song):
    """8 beats in 4 seconds."""
    clip = clip_in(song)
    for marker in list(clip.warp_markers)[-2:0:-1]:
        clip.remove_warp_marker(marker.beat_time)
    first = clip.warp_markers[0]
    clip.move_warp_marker(first.beat_time, first.sample_time * 2 - first.beat_time)
    clip.add_warp_marker(Live.Clip.WarpMarker(4.0, 8.0))
    clip.add_warp_marker(Live.Clip.WarpMarker(0.0, 0.0))
    if first.sample_time != 0:
        clip.remove_warp_marker(first.sample_time * 2)


def loop(song):
    """Switches looping on."""
    clip_in(song).looping = True


def set_ends(song):
    """Loop and start."""
    clip = clip_in(song)
    clip.loop_end = 8.0
    clip.loop_start = 0.0
    clip.end_marker = 8.0
    clip.start_marker = 0.0


def color(song):
    """An index of the palette."""
    clip_in(song).color_index = 5


RIGHT_STEPS = (make, warp, place_markers, loop, set_ends, color)


def clip_in(song):
    """The clip that was made."""
    return song.tracks[len(song.tracks) - 1].clip_slots[0].clip


class Script:
    """One step in each tick."""

    def __init__(self, c_instance, steps):
        self.song = c_instance.song
        self._steps = list(steps)

    def update_display(self):
        """The next step."""
        if self._steps:
            self._steps.pop(0)(self.song())

    def disconnect(self):
        """Nothing to leave."""


def instead(right, *wrong):
    """The right steps with one replaced."""
    steps = list(RIGHT_STEPS)
    place = steps.index(right)
    steps[place : place + 1] = wrong
    return steps
