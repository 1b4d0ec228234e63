"""Timers, and the error for what an edition doesn't take."""

from live_model.clock import clock
from live_model.members import Vector
from live_model.world import world


class LimitationError(Exception):
    """The edition's limit is reached, or the place is wrong."""


class Timer:
    """Calls back after some milliseconds; an error in the callback stops it."""

    def __init__(self, callback, interval, repeat=False, start=False):
        self.callback, self.interval, self.repeat = callback, interval, repeat
        self.due = 0.0
        if start:
            self.start()

    @property
    def running(self):
        """True while it is going to call back."""
        return any(timer is self for timer in world.timers)

    def start(self):
        """Begin to count."""
        self.due = clock.now + self.interval
        if not self.running:
            world.timers.append(self)

    def stop(self):
        """Stop calling back."""
        world.timers[:] = [timer for timer in world.timers if timer is not self]

    def restart(self):
        """Count from 0 again."""
        self.stop()
        self.start()
