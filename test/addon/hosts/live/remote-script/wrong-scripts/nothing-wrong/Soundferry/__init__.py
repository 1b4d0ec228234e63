"""Does nothing wrong."""

from one_clip import RIGHT_STEPS, Script


def create_instance(c_instance):
    """As Live calls it."""
    return Script(c_instance, RIGHT_STEPS)
