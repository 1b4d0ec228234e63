"""A clip and its warp markers."""

from live_model import clip_rules, warp
from live_model.levels import display, float32, gain_db
from live_model.members import ArgumentError, LiveObject, Vector, check, forbidden
from live_model.members import live_method, live_property
from live_model.palette import PALETTE, color_of, nearest_index
from live_model.warp import Refusal
from live_model.world import world

WARP_MODES = (0, 1, 2, 3, 4, 6)


class WarpMarker:
    """Seconds first, then beats; keywords are refused by most versions."""

    def __init__(self, *given, **named):
        if named and world.habits.marker_keywords:
            given = given + tuple(
                named.pop(key) for key in ("sample_time", "beat_time")[len(given) :] if key in named
            )
        if named:
            world.fault("KEYWORDS_FOR_A_MARKER", "violation", sorted(named))
            raise ArgumentError("Python argument types in WarpMarker.__init__ did not match")
        if len(given) != 2:
            world.fault("WRONG_TYPE", "violation", "Clip.WarpMarker")
            raise ArgumentError("Python argument types in WarpMarker.__init__ did not match")
        for number in given:
            check(float, number, "Clip.WarpMarker")
        self._sample_time, self._beat_time = float(given[0]), float(given[1])

    @property
    def sample_time(self):
        """Seconds."""
        return self._sample_time

    @property
    def beat_time(self):
        """Beats."""
        return self._beat_time


def _simple(attribute, kind):
    """A property that holds what is written."""

    def read(proxy, clip):
        return getattr(clip, attribute)

    def write(proxy, clip, value):
        setattr(clip, attribute, value)

    read.__doc__ = attribute
    return live_property(read).writes(kind)(write)


def _end(row, index):
    """One end of the loop or of the clip's own range."""

    def read(proxy, clip):
        return clip_rules.read_end(clip, row, index)

    def write(proxy, clip, value):
        clip_rules.write_end(clip, row, index, value)

    read.__doc__ = "Beats if warped, else seconds."
    return live_property(read).writes(float)(write)


class Clip(LiveObject):
    """An audio clip in a slot."""

    name = _simple("name", str)
    muted = _simple("muted", bool)
    ram_mode = _simple("ram_mode", bool)
    legato = _simple("legato", bool)
    launch_mode = _simple("launch_mode", int)
    launch_quantization = _simple("launch_quantization", int)
    loop_start = _end("brace", 0)
    loop_end = _end("brace", 1)
    start_marker = _end("play", 0)
    end_marker = _end("play", 1)

    @live_property
    def is_audio_clip(self, clip):
        """True: no clip is MIDI."""
        return clip.is_audio

    @live_property
    def is_midi_clip(self, clip):
        """MIDI."""
        return not clip.is_audio

    @live_property
    def is_playing(self, clip):
        """True while it plays."""
        return False

    @live_property
    def file_path(self, clip):
        """The file that it plays."""
        return _audio(clip).file_path

    @live_property
    def color_index(self, clip):
        """0..69."""
        return clip.color_index

    @color_index.writes(int)
    def color_index(self, clip, value):
        if not 0 <= value < len(PALETTE):
            raise Refusal("VALUE_OUT_OF_RANGE", "Invalid color index")
        clip.color_index = value

    @live_property
    def color(self, clip):
        """0x00RRGGBB."""
        return color_of(clip.color_index)

    @color.writes(int)
    def color(self, clip, value):
        clip.color_index = nearest_index(value)

    @live_property
    def warping(self, clip):
        """Takes effect late."""
        return _audio(clip).warping

    @warping.writes(bool)
    def warping(self, clip, value):
        clip_rules.write_warping(_audio(clip), value)

    @live_property
    def looping(self, clip):
        """The clip's loop: only warped clips loop."""
        return clip.looping

    @looping.writes(bool)
    def looping(self, clip, value):
        clip_rules.write_looping(clip, value)

    @live_property
    def warp_mode(self, clip):
        """0 Beats, 1 Tones, 2 Texture, 3 Re-Pitch, 4 Complex, 5 REX, 6 Complex Pro."""
        return _audio(clip).warp_mode

    @warp_mode.writes(int)
    def warp_mode(self, clip, value):
        if value not in WARP_MODES:
            raise Refusal("VALUE_OUT_OF_RANGE", "Invalid warp mode")
        _audio(clip).warp_mode = value

    @live_property
    def available_warp_modes(self, clip):
        """REX is for REX files."""
        return Vector(WARP_MODES)

    @live_property
    def warp_markers(self, clip):
        """The last one is hidden."""
        habits = world.habits.of_file(_audio(clip).file_path)
        if not clip.warping and habits.unwarped_markers == "raises":
            raise Refusal("INAPPLICABLE", "Clip is not warped")
        if not clip.warping and habits.unwarped_markers == "empty":
            return Vector([])
        return Vector(WarpMarker(*map(float, marker)) for marker in warp.points_of(clip, habits))

    @live_method(changes=True, since=(11, 0, 5))
    def add_warp_marker(self, clip, marker):
        """Takes a WarpMarker and nothing else."""
        if not isinstance(marker, WarpMarker):
            world.fault("WRONG_TYPE", "violation", "Clip.add_warp_marker: %r" % (marker,))
            raise ArgumentError("Python argument types in Clip.add_warp_marker did not match")
        clip_rules.change_markers(clip, marker.sample_time, marker.beat_time, "add")

    @live_method(changes=True, since=(11, 0))
    def move_warp_marker(self, clip, beat_time, distance):
        """Moves it by beats."""
        check(float, beat_time, "Clip.move_warp_marker")
        check(float, distance, "Clip.move_warp_marker")
        clip_rules.change_markers(clip, beat_time, distance, "move")

    @live_method(changes=True, since=(11, 0))
    def remove_warp_marker(self, clip, beat_time):
        """Removes the one at a beat."""
        check(float, beat_time, "Clip.remove_warp_marker")
        clip_rules.change_markers(clip, beat_time, None, "remove")

    @live_property
    def position(self, clip):
        """The start of the loop; a write moves the loop."""
        return clip_rules.read_end(clip, "brace", 0)

    @position.writes(float)
    def position(self, clip, value):
        distance = value - clip_rules.read_end(clip, "brace", 0)
        row = clip.brace if clip.looping else clip.play
        row[:] = [end + distance for end in row]

    @live_property
    def length(self, clip):
        """The length of the loop, or of the clip."""
        return clip_rules.read_end(clip, "brace", 1) - clip_rules.read_end(clip, "brace", 0)

    @live_property
    def gain(self, clip):
        """0 to 1, as a 32-bit float."""
        return float32(_audio(clip).gain)

    @gain.writes(float)
    def gain(self, clip, value):
        if not 0 <= value <= 1:
            raise Refusal("VALUE_OUT_OF_RANGE", "Invalid gain")
        _audio(clip).gain = float32(value)

    @live_property
    def gain_display_string(self, clip):
        """Such as −3.0 dB."""
        shown = display(gain_db(float32(_audio(clip).gain)), world.habits)
        return shown if world.habits.gain_text is None else world.habits.gain_text

    @live_property
    def pitch_coarse(self, clip):
        """Semitones, -48 to 48."""
        return _audio(clip).pitch_coarse

    @pitch_coarse.writes(int)
    def pitch_coarse(self, clip, value):
        if not -48 <= value <= 48:
            raise Refusal("VALUE_OUT_OF_RANGE", "Invalid pitch")
        _audio(clip).pitch_coarse = value

    @live_property
    def pitch_fine(self, clip):
        """Cents, -50 to 49."""
        return float32(_audio(clip).pitch_fine)

    @pitch_fine.writes(float)
    def pitch_fine(self, clip, value):
        if not -50 <= value < 50:
            raise Refusal("VALUE_OUT_OF_RANGE", "Invalid pitch")
        _audio(clip).pitch_fine = float32(value)

    @live_property
    def sample_length(self, clip):
        """Frames."""
        return _audio(clip).frames

    @live_property
    def sample_rate(self, clip):
        """Hz."""
        return float(_audio(clip).rate)

    @live_method()
    def beat_to_sample_time(self, clip, beat):
        """The frame at a beat."""
        return warp.seconds_at(clip_rules.warped_points(clip), beat) * clip.rate

    @live_method()
    def sample_to_beat_time(self, clip, frame):
        """The beat at a frame."""
        return warp.beat_at(clip_rules.warped_points(clip), frame / clip.rate)

    @live_method()
    def fire(self, clip):
        """Launch it."""
        forbidden("fire", "LAUNCHES", "Clip")

    @live_method()
    def stop(self, clip):
        """Stop it."""
        forbidden("stop", "STOPS", "Clip")


def _audio(clip):
    if not clip.is_audio:
        raise Refusal("INAPPLICABLE", "Not an audio clip")
    return clip
