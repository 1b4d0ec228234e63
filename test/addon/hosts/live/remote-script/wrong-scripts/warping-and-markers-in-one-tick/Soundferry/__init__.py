"""Doesn't wait until warping has taken effect."""

from one_clip import Script, make, place_markers, warp


def warp_and_place(song):
    """Makes both changes in one tick."""
    warp(song)
    place_markers(song)


def create_instance(c_instance):
    """The function that Live calls."""
    return Script(c_instance, [make, warp_and_place])
