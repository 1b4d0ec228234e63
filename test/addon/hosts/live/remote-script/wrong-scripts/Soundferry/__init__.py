"""Makes one clip, one step in each tick: the right way, or with the mistake that `MISTAKE` names."""

import os
import threading

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


def color_as_float(song):
    """5.0 isn't 5."""
    clip_in(song).color_index = 5.0


def end_as_int(song):
    """8 isn't 8.0."""
    clip_in(song).loop_end = 8


kept = []


def make_in_kept(song):
    """Makes a clip in the first Set that was open, also when another one is open."""
    kept.append(song)
    make(kept[0])


def launch(song):
    """Plays the clip at once."""
    clip_in(song).fire()


def end_too_late(song):
    """The file has 8 beats."""
    clip_in(song).loop_end = 12.0


def unwarp(song):
    """Takes effect after this tick."""
    clip_in(song).warping = False


def misspell(song):
    """Misspells color_index: Python allows it, and nothing happens."""
    clip_in(song).colour_index = 5


def select(song):
    """Scrolls to the last scene."""
    song.view.selected_scene = song.scenes[-1]


def start_too_early(song):
    """Sets the start before looping: Live ignores it."""
    clip_in(song).start_marker = 0.0
    clip_in(song).looping = True


def place_swapped(song):
    """Gives a marker its beats first. Should be 4 seconds and beat 8."""
    clip = clip_in(song)
    for marker in list(clip.warp_markers)[-2:0:-1]:
        clip.remove_warp_marker(marker.beat_time)
    clip.add_warp_marker(Live.Clip.WarpMarker(8.0, 4.0))


def warp_and_loop(song):
    """Doesn't wait until warping has taken effect."""
    warp(song)
    loop(song)


def warp_and_place(song):
    """Doesn't wait until warping has taken effect."""
    warp(song)
    place_markers(song)


def color_in_thread(song):
    """Live is not made for it."""
    thread = threading.Thread(target=color, args=(song,))
    thread.start()
    thread.join()


class WithTimer(Script):
    """A script that leaves a Timer behind when Live unloads it."""

    def __init__(self, c_instance, steps):
        Script.__init__(self, c_instance, steps)
        self._timer = Live.Base.Timer(callback=self.update_display, interval=10, repeat=True, start=True)


STEPS = {
    "START_BEFORE_LOOPING": instead(loop, start_too_early),
    "WARPING_AND_MARKERS_IN_ONE_TICK": [make, warp_and_place],
    "WARPING_AND_LOOPING_IN_ONE_TICK": [make, warp_and_loop],
    "LOOPING_TURNS_WARP_ON": [make, unwarp, loop],
    "FLOAT_FOR_INT": instead(color, color_as_float),
    "INT_FOR_FLOAT": instead(set_ends, end_as_int),
    "LOOP_END_PAST_THE_FILE": instead(set_ends, end_too_late),
    "MARKER_ARGUMENTS_SWAPPED": instead(place_markers, place_swapped),
    "SELECTS": instead(color, color, select),
    "LAUNCHES": instead(color, color, launch),
    "OFF_THE_MAIN_THREAD": instead(color, color_in_thread),
    "TIMER_OUTLIVES_THE_SCRIPT": RIGHT_STEPS,
    "OBJECT_OF_A_CLOSED_SET": [make_in_kept],
    "UNKNOWN_PROPERTY": instead(color, misspell),
}


def create_instance(c_instance):
    """The function that Live calls."""
    mistake = os.environ.get("MISTAKE")
    if mistake is None:
        return Script(c_instance, RIGHT_STEPS)
    kind = WithTimer if mistake == "TIMER_OUTLIVES_THE_SCRIPT" else Script
    return kind(c_instance, STEPS[mistake])
