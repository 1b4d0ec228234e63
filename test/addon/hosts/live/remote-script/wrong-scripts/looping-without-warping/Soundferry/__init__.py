"""Makes a clip loop that isn't warped: Live warps it."""

from one_clip import Script, clip_in, loop, make


def unwarp(song):
    """Takes effect after this tick."""
    clip_in(song).warping = False


def create_instance(c_instance):
    """The function that Live calls."""
    return Script(c_instance, [make, unwarp, loop])
