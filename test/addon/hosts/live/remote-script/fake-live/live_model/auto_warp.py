"""The look of a new clip: Live's guess of tempo and start, and saved settings beside the file."""

import json
import math

from .warp import beat_at, points_of


def guess_bpm(seconds, set_bpm, habits):
    """The tempo that Live hears: a number, or a power of two of beats nearest to the Set's tempo."""
    if habits.guess != "powers of two":
        return float(habits.guess)
    candidates = [60 * 2**power / seconds for power in range(-4, 14)]
    return min(candidates, key=lambda bpm: abs(math.log(bpm / set_bpm)))


def heard_markers(seconds, bpm, habits):
    """The markers that Auto-Warp leaves: drifting, and right on average."""
    first = min(float(habits.first_marker_seconds), seconds / 2)
    count = max(1, habits.markers_left)
    markers = [(first, 0.0)]
    step = (seconds - first) * 0.95 / max(1, count - 1)
    for number in range(1, count):
        wrong = habits.drift if number % 2 else -habits.drift
        last = markers[-1]
        markers.append((first + number * step, last[1] + step * bpm * (1 + wrong) / 60))
    return markers


def make_fresh(clip, set_bpm, habits):
    """Give a new clip the state that Live leaves it in."""
    seconds = clip.seconds()
    bpm = guess_bpm(seconds, set_bpm, habits)
    clip.warp_mode = habits.fresh_warp_mode
    clip.gain = habits.fresh_gain
    clip.pitch_coarse, clip.pitch_fine = habits.fresh_pitch
    clip.shadow_bpm = bpm
    clip.warping = habits.fresh != "unwarped"
    clip.looping = clip.warping and (habits.fresh == "short loop" or habits.fresh_looping)
    clip.markers = [(0.0, 0.0)] if habits.fresh == "short loop" else heard_markers(seconds, bpm, habits)
    _place_ends(clip, habits)
    if habits.analysis_ticks > 0:
        unheard(clip, seconds)
    if habits.reads_asd:
        _read_saved(clip)


def unheard(clip, seconds):
    """The state before a slow analysis is done."""
    clip.markers = [(0.0, 0.0)]
    clip.shadow_bpm = 120.0
    clip.warping = clip.looping = False
    clip.play = [0.0, seconds]
    clip.brace = [0.0, seconds]


def finish_analysis(clip, set_bpm, habits):
    """A slow analysis ends: its markers replace what is there."""
    seconds = clip.seconds()
    clip.shadow_bpm = guess_bpm(seconds, set_bpm, habits)
    clip.markers = heard_markers(seconds, clip.shadow_bpm, habits)


def _place_ends(clip, habits):
    seconds = clip.seconds()
    if not clip.warping:
        start = min(float(habits.start_moved_seconds), seconds / 2)
        clip.play = [start, seconds]
        clip.brace = [start, seconds]
        return
    end = beat_at(points_of(clip, habits), seconds)
    clip.play = [0.0, end]
    clip.brace = [0.0, end]


def _read_saved(clip):
    """Settings saved beside the file; the tests write them as JSON, Live's own are skipped."""
    try:
        with open(clip.file_path + ".asd", encoding="utf-8") as file:
            saved = json.load(file)
    except (OSError, ValueError):
        return
    for key in ("warping", "looping", "gain", "pitch_coarse", "pitch_fine", "warp_mode", "play", "brace"):
        if key in saved:
            setattr(clip, key, saved[key])
    if "markers" in saved:
        clip.markers = [tuple(marker) for marker in saved["markers"]]
