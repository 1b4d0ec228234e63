"""Gives a number of JSON to an int."""

from one_clip import Script, clip_in, color, instead


def color_as_float(song):
    """5.0 isn't 5."""
    clip_in(song).color_index = 5.0


def create_instance(c_instance):
    """The function that Live calls."""
    return Script(c_instance, instead(color, color_as_float))
