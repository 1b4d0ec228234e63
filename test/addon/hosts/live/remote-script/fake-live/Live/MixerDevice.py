"""A track's mixer."""

from live_model.members import LiveObject, Vector, live_property

from .DeviceParameter import DeviceParameter


class MixerDevice(LiveObject):
    """A mixer, of which only the volume is modeled."""

    @live_property
    def volume(self, track):
        """The fader."""
        return DeviceParameter(track)

    @live_property
    def sends(self, track):
        """None here."""
        return Vector([])
