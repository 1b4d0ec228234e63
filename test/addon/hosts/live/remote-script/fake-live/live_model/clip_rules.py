"""Live's behavior when warping, loop, start and markers of a clip are written."""

from . import warp
from .auto_warp import finish_analysis
from .warp import Refusal
from .world import world

_NAMES = {
    ("brace", 0): "LOOP_START",
    ("brace", 1): "LOOP_END",
    ("play", 0): "START_MARKER",
    ("play", 1): "END_MARKER",
}
_SAME = 1e-6


def warped_points(clip):
    """All markers of a warped clip."""
    if not clip.warping:
        raise Refusal("INAPPLICABLE", "Clip is not warped")
    return warp.points_of(clip, world.habits.of_file(clip.file_path))


def write_warping(clip, value):
    """Warping takes effect after the callback, or some ticks later."""
    habits = world.habits.of_file(clip.file_path)
    before = world.deed(clip.id, "warping")
    if "looping" in before:
        _with_looping(habits)
    if "markers" in before:
        _with_markers(habits)
    clip.touched = True
    if habits.warping_reads_at_once:
        _apply_warping(clip, value, habits)
    else:
        world.defer(habits.warping_after_ticks, clip.id, lambda late: _apply_warping(late, value, habits))


def write_looping(clip, value):
    """An unwarped clip that is made to loop becomes warped."""
    habits = world.habits.of_file(clip.file_path)
    if "warping" in world.deed(clip.id, "looping"):
        _with_looping(habits)
    if value and not clip.warping:
        world.fault("LOOPING_TURNS_WARP_ON", "violation", clip.name)
        if habits.looping_turns_warp_on:
            _apply_warping(clip, True, habits)
    clip.looping = value and clip.warping
    clip.unreal_end = None


def read_end(clip, row, index):
    """Returns a bound. Without a loop, loop_start and loop_end are the clip's start and end."""
    if row == "play" and index == 1 and not clip.looping and clip.unreal_end is not None:
        return clip.unreal_end
    return (clip.brace if row == "brace" and clip.looping else clip.play)[index]


def write_end(clip, row, index, value):
    """Write loop_start, loop_end, start_marker or end_marker."""
    if row == "play" and not clip.looping:
        if index == 0:
            world.fault("START_BEFORE_LOOPING", "violation", "start_marker of %s" % clip.name)
        else:
            world.fault("END_MARKER_WITHOUT_LOOPING", "violation", "end_marker of %s" % clip.name)
            clip.unreal_end = value
        return
    pair = clip.brace if row == "brace" and clip.looping else clip.play
    wanted = list(pair)
    wanted[index] = value
    if wanted[0] >= wanted[1]:
        start, end = ("LoopStart", "LoopEnd") if row == "brace" else ("StartMarker", "EndMarker")
        raise Refusal("START_BEHIND_END", "Cannot set %s behind %s" % (start, end))
    _judge_place(clip, _NAMES[(row, index)], value)
    pair[index] = value
    if pair is clip.play:
        clip.unreal_end = None


def change_markers(clip, first, second, how):
    """Add, move or remove a marker."""
    habits = world.habits.of_file(clip.file_path)
    if "warping" in world.deed(clip.id, "markers"):
        _with_markers(habits)
    if not clip.warping:
        raise Refusal("MARKERS_WITHOUT_WARPING", "Clip is not warped")
    clip.touched = True
    if how == "add":
        _add(clip, first, second, habits)
    elif how == "move":
        warp.move_marker(clip, first, second, habits)
    else:
        warp.remove_marker(clip, first, habits)


def _add(clip, seconds, beat, habits):
    bpm = habits.true_bpm
    if bpm is not None:
        is_right = abs(seconds * bpm / 60 - beat) < _SAME
        if not is_right and abs(beat * bpm / 60 - seconds) < _SAME:
            world.fault("MARKER_ARGUMENTS_SWAPPED", "violation", (seconds, beat))
    elif seconds > clip.seconds() + _SAME and 0 <= beat <= clip.seconds():
        world.fault("MARKER_ARGUMENTS_SWAPPED", "violation", (seconds, beat))
    warp.add_marker(clip, seconds, beat, habits)


def _apply_warping(clip, value, habits):
    if value == clip.warping:
        return
    if value:
        if habits.reanalyzes_on_warp:
            finish_analysis(clip, world.set.tempo, habits)
        points = warp.points_of(clip, habits)
        clip.play = [warp.beat_at(points, seconds) for seconds in clip.play]
        clip.brace = [warp.beat_at(points, seconds) for seconds in clip.brace]
    elif not habits.unwarping_keeps_looping:
        clip.looping = False
    clip.warping, clip.unreal_end = value, None


def _judge_place(clip, name, value):
    """Markers stay within the file."""
    habits = world.habits.of_file(clip.file_path)
    seconds = value
    if clip.warping:
        seconds = warp.seconds_at(warp.points_of(clip, habits), value)
    slack = habits.end_slack_seconds
    if seconds > clip.seconds() + slack and not habits.allows_past_file:
        raise Refusal("%s_PAST_THE_FILE" % name, "Position is out of range")
    if seconds < -slack and not habits.allows_past_file:
        raise Refusal("%s_BEFORE_THE_FILE" % name, "Position is out of range")


def _with_markers(habits):
    name = "WARPING_AND_MARKERS_IN_ONE_TICK"
    if habits.warping_and_markers == "crash":
        world.crash(name)
    world.fault(name, "violation", "in callback %d" % world.callback.number)
    if habits.warping_and_markers == "raise":
        raise RuntimeError("The clip is being warped")


def _with_looping(habits):
    name = "WARPING_AND_LOOPING_IN_ONE_TICK"
    crashes = habits.warping_and_looping == "crash" or (
        habits.warping_and_looping == "by version" and habits.numbers() < (12, 1, 5)
    )
    if crashes:
        world.crash(name)
    world.fault(name, "violation", "in callback %d" % world.callback.number)
    if habits.warping_and_looping == "raise":
        raise RuntimeError("The clip is being warped")
