"""Warp markers: (seconds, beats) pairs from left to right, and the hidden last one."""

SHADOW_BEATS = 1 / 64
SLOWEST, FASTEST = 5, 999
_SAME = 1e-9


class Refusal(RuntimeError):
    """Live says no: a name for the tests, and Live's text."""

    def __init__(self, name, text):
        RuntimeError.__init__(self, text)
        self.name = name


# The script must see what Live raises.
Refusal.__name__ = Refusal.__qualname__ = "RuntimeError"


def tempo_between(left, right):
    """BPM of the segment between two markers."""
    return 60 * (right[1] - left[1]) / (right[0] - left[0])


def shadow_of(clip, habits):
    """The hidden last marker."""
    seconds, beat = clip.markers[-1]
    bpm = clip.shadow_bpm
    if habits.shadow_slope == "last segment" and len(clip.markers) > 1:
        bpm = tempo_between(clip.markers[-2], clip.markers[-1])
    return (seconds + SHADOW_BEATS * 60 / bpm, beat + SHADOW_BEATS)


def points_of(clip, habits):
    """All markers, with the hidden one."""
    return list(clip.markers) + [shadow_of(clip, habits)]


def beat_at(points, seconds):
    """The beat at a second, on the line through the markers."""
    left, right = _segment(points, seconds, 0)
    return left[1] + (seconds - left[0]) * (right[1] - left[1]) / (right[0] - left[0])


def seconds_at(points, beat):
    """The second at a beat."""
    left, right = _segment(points, beat, 1)
    return left[0] + (beat - left[1]) * (right[0] - left[0]) / (right[1] - left[1])


def add_marker(clip, seconds, beat, habits):
    """Add a marker; the same one twice changes nothing."""
    for marker in clip.markers:
        if abs(marker[0] - seconds) < _SAME and abs(marker[1] - beat) < _SAME:
            return
    end = clip.seconds()
    if seconds < 0 or seconds > end + _SAME or (
        abs(seconds - end) <= _SAME and not habits.marker_at_file_end
    ):
        raise Refusal("MARKER_PAST_THE_FILE", "Warp marker sample time is out of range")
    _put(clip, list(clip.markers) + [(seconds, beat)])


def move_marker(clip, beat, distance, habits):
    """Move a marker by beats."""
    index = _find(clip, beat)
    if index is None:
        if _is_shadow(clip, beat, habits):
            raise Refusal("HIDDEN_MARKER", "The shadow marker can't be moved.")
        raise Refusal("NO_SUCH_MARKER", "Warp marker doesn't exist")
    moved = list(clip.markers)
    moved[index] = (moved[index][0], moved[index][1] + distance)
    _put(clip, moved)


def remove_marker(clip, beat, habits):
    """Remove a marker by its beat."""
    index = _find(clip, beat)
    if index is None:
        if _is_shadow(clip, beat, habits):
            raise Refusal("HIDDEN_MARKER", "Warp marker %s" % habits.shadow_removal)
        raise Refusal("NO_SUCH_MARKER", "Warp marker doesn't exist")
    if len(clip.markers) == 1:
        if not habits.removes_last_marker:
            raise Refusal("LAST_VISIBLE_MARKER", "Warp marker can't be deleted")
        clip.markers = [(0.0, 0.0)]
        return
    if len(clip.markers) == 2 and habits.shadow_slope == "last segment":
        clip.shadow_bpm = tempo_between(*clip.markers)
    clip.markers = clip.markers[:index] + clip.markers[index + 1 :]


def _find(clip, beat):
    for index, marker in enumerate(clip.markers):
        if abs(marker[1] - beat) < _SAME:
            return index
    return None


def _is_shadow(clip, beat, habits):
    return abs(shadow_of(clip, habits)[1] - beat) < _SAME


def _put(clip, markers):
    """Keep the markers if every segment of them is possible."""
    ordered = sorted(markers, key=lambda marker: marker[1])
    for left, right in zip(ordered, ordered[1:]):
        if right[0] <= left[0] or right[1] - left[1] < _SAME:
            raise Refusal("NEIGHBOR_BLOCKS", "Segment length out of range")
        if not SLOWEST - _SAME <= tempo_between(left, right) <= FASTEST + _SAME:
            raise Refusal("SEGMENT_OUT_OF_RANGE", "Segment length out of range")
    clip.markers = ordered


def _segment(points, value, axis):
    for left, right in zip(points, points[1:]):
        if value <= right[axis]:
            return left, right
    return points[-2], points[-1]
