"""Live's clock: update_display and Timers, in Live's own milliseconds."""

import time

from .world import world


class Clock:
    """Runs the script's callbacks, tick by tick or freely."""

    def __init__(self):
        self.now = 0.0
        self.next_display = 0.0
        self.script = None
        self.is_dropped = False

    def step(self):
        """One tick: the Timers that fall due within it, then update_display."""
        self.next_display = self.now + world.habits.tick_ms
        while True:
            timer = self._next_timer()
            if timer is None or timer.due > self.next_display:
                break
            self._fire(timer)
        self.now = self.next_display
        self.display()

    def display(self):
        """Call update_display, if the script has one."""
        if self.script is not None and hasattr(self.script, "update_display") and not self.is_dropped:
            returned = world.run_callback("update_display", self.script.update_display)
            self.is_dropped = not returned and world.habits.drops_script_on_error
        if world.set.is_playing:
            world.set.song_time += world.habits.tick_ms * world.set.tempo / 60000
        world.end_tick()

    def seconds_to_next(self):
        """Returns the time to wait, in real seconds, when running freely."""
        timer = self._next_timer()
        due = self.next_display if timer is None else min(self.next_display, timer.due)
        return max(0.0, due - self.now) * self._real_share() / 1000

    def run_next(self, waited_seconds):
        """Time has passed: run what is due, each at most once."""
        self.now += waited_seconds * 1000 / self._real_share()
        timer = self._next_timer()
        if timer is not None and timer.due <= min(self.now, self.next_display):
            self._fire(timer)
        elif self.now >= self.next_display:
            self.next_display = self.now + world.habits.tick_ms
            self.display()

    def burst(self):
        """A menu was closed: the ticks that were held back run at once."""
        for _ in range(world.habits.burst_after_pause):
            self.display()

    def _real_share(self):
        return world.habits.real_tick_ms / world.habits.tick_ms

    def _next_timer(self):
        return min(world.timers, key=lambda timer: timer.due, default=None)

    def _fire(self, timer):
        self.now = max(self.now, timer.due)
        if timer.repeat:
            timer.due = self.now + max(1.0, timer.interval)
        else:
            timer.stop()
        if not world.run_callback("timer", timer.callback):
            timer.stop()


clock = Clock()


def real_now():
    """Seconds of a clock that never goes back."""
    return time.monotonic()
