"""Sets what Live doesn't have: Python allows it, and nothing happens."""

from one_clip import Script, clip_in, color, instead


def misspell(song):
    """Misspells color_index."""
    clip_in(song).colour_index = 5


def create_instance(c_instance):
    """The function that Live calls."""
    return Script(c_instance, instead(color, misspell))
