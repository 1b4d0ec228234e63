"""A fader."""

from live_model.levels import display, float32, volume_db
from live_model.members import LiveObject, check, live_method, live_property
from live_model.warp import Refusal
from live_model.world import world


class DeviceParameter(LiveObject):
    """The volume of a track, held as a 32-bit float."""

    @live_property
    def name(self, track):
        """Live's name of it."""
        return "Track Volume"

    @live_property
    def min(self, track):
        """Lowest value."""
        return 0.0

    @live_property
    def max(self, track):
        """Highest value."""
        return 1.0

    @live_property
    def default_value(self, track):
        """0 dB."""
        return float32(0.85)

    @live_property
    def is_enabled(self, track):
        """True if it can be set."""
        return True

    @live_property
    def value(self, track):
        """0 to 1."""
        return float32(track.volume)

    @value.writes(float)
    def value(self, track, value):
        if not 0 <= value <= 1:
            raise Refusal("VALUE_OUT_OF_RANGE", "Invalid value. Check the parameters range.")
        track.volume = float32(value)

    @live_method()
    def str_for_value(self, track, value):
        """Text of a value, without setting it."""
        check(float, value, "DeviceParameter.str_for_value")
        return display(volume_db(value), world.habits)

    def __str__(self):
        return self.str_for_value(self.value)
