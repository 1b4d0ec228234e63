"""The exact warp: two markers on one line, whichever markers Live's own analysis left."""
import Live

NEAR = 1e-6
STEEPEST, FLATTEST = 16.0, 0.1  # Beats per second, inside of Live's 999 and 5 BPM.


def markers_of(clip):
    """Returns seconds and beats of all markers. The last one is hidden: it only sets the tempo after the others."""
    return [(marker.sample_time, marker.beat_time) for marker in clip.warp_markers]


def is_near(markers, wanted):
    pairs = [pair for got, asked in zip(markers, wanted) for pair in zip(got, asked)]
    return len(markers) == len(wanted) and all(abs(got - asked) <= NEAR for got, asked in pairs)


def without(markers, others):
    return [each for each in markers if not any(is_near([each], [other]) for other in others)]


def place_markers(clip, wanted, try_to):
    """Replaces the markers by the two wanted ones, which lie on one line with beat 0 at the file's start.

    No segment exceeds Live's tempo limits in between, and no marker passes another one.
    """
    slope = wanted[1][1] / wanted[1][0]

    marker = Live.Clip.WarpMarker
    add = lambda seconds, beats: try_to("warp_markers", lambda: clip.add_warp_marker(marker(seconds, beats)))
    remove = lambda beats: try_to("warp_markers", clip.remove_warp_marker, beats)
    for _seconds, beats in reversed(markers_of(clip)[1:-1]):
        yield remove(beats)
    for _ in range(8):
        seconds, beats = markers_of(clip)[0]
        if abs(seconds * slope - beats) <= NEAR:
            break
        # Adds a marker on the line, or as near to it as the limits allow from here.
        _, at, new = min(reach(beats, seconds, at, at * slope) for at, _ in wanted if at != seconds)
        yield add(at, new)
        yield remove(beats)
    for point in without(wanted, markers_of(clip)[:-1]):
        yield add(*point)
    for point in without(markers_of(clip)[:-1], wanted):
        yield remove(point[1])


def reach(beats, seconds, at, wanted):
    """Returns the distance of a new marker from the wanted beat, its second and its beat."""
    low, high = sorted((beats + (at - seconds) * STEEPEST, beats + (at - seconds) * FLATTEST))
    reached = min(max(wanted, low), high)
    return abs(wanted - reached), at, reached
