"""Doesn't wait until warping has taken effect."""

from one_clip import Script, loop, make, warp


def warp_and_loop(song):
    """Makes both changes in one tick."""
    warp(song)
    loop(song)


def create_instance(c_instance):
    """The function that Live calls."""
    return Script(c_instance, [make, warp_and_loop])
