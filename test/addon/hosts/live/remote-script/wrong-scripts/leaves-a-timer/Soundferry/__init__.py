"""Leaves a Timer behind when Live unloads it."""

import Live
from one_clip import RIGHT_STEPS, Script


class WithTimer(Script):
    """A script that never stops its Timer."""

    def __init__(self, c_instance, steps):
        Script.__init__(self, c_instance, steps)
        self._timer = Live.Base.Timer(callback=self.update_display, interval=10, repeat=True, start=True)


def create_instance(c_instance):
    """The function that Live calls."""
    return WithTimer(c_instance, RIGHT_STEPS)
