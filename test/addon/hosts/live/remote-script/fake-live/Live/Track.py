"""A track."""

from live_model.members import LiveObject, Vector, check, forbidden, live_method, live_property
from live_model.palette import PALETTE, color_of, nearest_index
from live_model.state import AUDIO, MIDI
from live_model.warp import Refusal
from live_model.world import world

from .ClipSlot import ClipSlot
from .MixerDevice import MixerDevice


class RoutingType:
    """An input to choose; only one that Live offers can be set."""

    def __init__(self, name):
        self.display_name, self.attached_object = name, None
        self.category = world.habits.input_categories.get(name, 0)

    def __eq__(self, other):
        return isinstance(other, RoutingType) and self.display_name == other.display_name

    def __hash__(self):
        return hash(self.display_name)


class Track(LiveObject):
    """A column of the Session View."""

    @live_property
    def name(self, track):
        """The name as Live shows it: a first number sign may be the track's number, and two are one."""
        if not world.habits.number_signs or track.name[:1] != "#":
            return track.name
        number = world.set.index_of(world.set.tracks, track.id) + 1
        return track.name[1:] if track.name[:2] == "##" else "%d%s" % (number, track.name[1:])

    @name.writes(str)
    def name(self, track, value):
        track.name = value

    @live_property
    def color_index(self, track):
        """0..69."""
        return track.color_index

    @color_index.writes(int)
    def color_index(self, track, value):
        if not 0 <= value < len(PALETTE):
            raise Refusal("VALUE_OUT_OF_RANGE", "Invalid color index")
        track.color_index = value

    @live_property
    def color(self, track):
        """0x00RRGGBB, of the palette."""
        return color_of(track.color_index)

    @color.writes(int)
    def color(self, track, value):
        track.color_index = nearest_index(value)

    @live_property
    def clip_slots(self, track):
        """One for each scene."""
        return Vector(track.slots, ClipSlot)

    @live_property
    def mixer_device(self, track):
        """The track's mixer."""
        return MixerDevice(track)

    @live_property
    def devices(self, track):
        """None here."""
        return Vector([])

    @live_property
    def has_audio_input(self, track):
        """True if it records audio."""
        return track.kind == AUDIO

    @live_property
    def has_midi_input(self, track):
        """True if it records MIDI."""
        return track.kind == MIDI

    @live_property
    def is_frozen(self, track):
        """True if it can't be changed."""
        return track.frozen

    @live_property
    def is_foldable(self, track):
        """True if it is a group."""
        return track.kind == "group"

    @live_property
    def can_be_armed(self, track):
        """Groups can't."""
        return track.kind in (AUDIO, MIDI)

    @live_property
    def arm(self, track):
        """True if it is ready to record."""
        _require_armable(track)
        return track.arm

    @arm.writes(bool)
    def arm(self, track, value):
        _require_armable(track)
        if value:
            forbidden("arm", "ARMS", "Track")
        track.arm = value

    @live_property
    def mute(self, track):
        """True if it is silent."""
        return track.mute

    @mute.writes(bool)
    def mute(self, track, value):
        track.mute = value

    @live_property
    def solo(self, track):
        """True if it plays alone."""
        return track.solo

    @solo.writes(bool)
    def solo(self, track, value):
        track.solo = value

    @live_property
    def available_input_routing_types(self, track):
        """The possible inputs."""
        return Vector(RoutingType(name) for name in world.habits.input_types)

    @live_property
    def input_routing_type(self, track):
        """The track's input."""
        return RoutingType(track.input_type)

    @input_routing_type.writes(object)
    def input_routing_type(self, track, value):
        if not isinstance(value, RoutingType):
            world.fault("WRONG_TYPE", "violation", "Track.input_routing_type: %r" % (value,))
            raise TypeError("Track.input_routing_type takes a RoutingType")
        track.input_type = value.display_name

    @live_property
    def playing_slot_index(self, track):
        """-1 if nothing plays."""
        return -1

    @live_method()
    def get_data(self, track, key, default):
        """Data that is saved with the Set."""
        check(str, key, "Track.get_data")
        return track.data.get(key, default)

    @live_method(changes=True)
    def set_data(self, track, key, value):
        """Save data with the Set."""
        check(str, key, "Track.set_data")
        track.data[key] = value

    @live_method()
    def stop_all_clips(self, track, *given):
        """Stop it."""
        forbidden("stop_all_clips", "STOPS", "Track")


def _require_armable(track):
    if track.kind not in (AUDIO, MIDI):
        raise Refusal("INAPPLICABLE", "This track can't be armed")
