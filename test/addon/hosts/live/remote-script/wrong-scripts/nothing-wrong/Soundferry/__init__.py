"""Does nothing wrong."""

from one_clip import RIGHT_STEPS, Script


def create_instance(c_instance):
    """The function that Live calls."""
    return Script(c_instance, RIGHT_STEPS)
