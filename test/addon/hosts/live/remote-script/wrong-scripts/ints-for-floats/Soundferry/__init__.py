"""Gives an int to a float."""

from one_clip import Script, clip_in, instead, set_ends


def end_as_int(song):
    """8 isn't 8.0."""
    clip_in(song).loop_end = 8


def create_instance(c_instance):
    """The function that Live calls."""
    return Script(c_instance, instead(set_ends, end_as_int))
