"""One sound of a placement: its track, its clip, and the order in which Live takes their settings."""
import os
from contextlib import suppress

from .gain import place_gain
from .live_set import write_mark
from .server import Refusal
from .warp import is_near, markers_of, place_markers

# Live accepts no float for a whole number, and no whole number for a float.
WHOLE, FLAGS = ("warp_mode", "color_index", "pitch_coarse"), ("warping", "looping", "arm")
NO_INPUT = "none", "6"  # Live.Track.RoutingTypeCategory.none
READ = """warping warp_mode looping pitch_coarse pitch_fine gain gain_display_string file_path
    loop_start loop_end start_marker end_marker name color_index""".split()


def put(owner, setting, value):
    kind = int if setting in WHOLE else bool if setting in FLAGS else str if setting == "name" else float
    if getattr(owner, setting) != kind(value):
        setattr(owner, setting, kind(value))


class Sound(object):
    """A sound with its settings in Live. Its generators pause after each of Live's calls."""

    track = earlier = error = holds = skipped = clip = clip_pointer = bounds = None
    attempt = seconds = _refusals = _seen_refusals = 0
    touched = undone = is_right = is_marked = is_opened = is_theirs = is_repaired = tries_again = False

    def __init__(self, plan, folders):
        self.sound, self.plan, self.planned = plan["sound"], plan, plan["clip"]
        self.file, self._folders = inside(plan["file"], folders), folders
        self.refused, self.changed, self._heard = [], [], []

    def try_to(self, setting, call, *arguments):
        try:
            call(*arguments)
            self.refused = [each for each in self.refused if each["setting"] != setting]
        except Exception as error:
            self.refused.append({"setting": setting, "message": str(error)})
            self._refusals += 1

    def set(self, owner, setting, value):
        self.try_to(setting, put, owner, setting, value)

    def mark(self, about):
        state = dict(about, sound=self.sound, done=self.holds is not None, attempt=self.attempt)
        write_mark(self.track, dict(state, earlier=self.earlier))
        self.is_marked = True

    def take_earlier(self, marks):
        """Finds the track of an earlier import by its mark. Only a clip is added there."""
        own = [pair for pair in marks if pair[1] == dict(pair[1], sound=self.sound, run=self.plan.get("on"))]
        own = [pair for pair in own if pair[0].has_audio_input and not pair[0].is_frozen]
        self.track, self.earlier = own[-1] if own else (None, None)

    def set_track(self):
        yield self.try_to("name", self._name_track)
        yield self.set(self.track, "color_index", self.plan["color"])
        yield self.try_to("arm", lambda: self.track.can_be_armed and put(self.track, "arm", False))
        yield self.try_to("input", self._take_no_input)

    def _name_track(self):
        """Escapes a first "#" where Live puts the track's number in its place."""
        name = self.plan["name"]
        put(self.track, "name", name)
        if name[:1] == "#" and self.track.name != name and self.track.name.endswith(name.lstrip("#")):
            put(self.track, "name", "#" + name)
            self.track.name == name or put(self.track, "name", name)

    def _take_no_input(self):
        for routing in self.track.available_input_routing_types:
            if is_no_input(routing):
                self.track.input_routing_type = routing
                return

    def make_clip(self, slot):
        if inside(self.file, self._folders) != self.file:
            raise ValueError("its file was replaced")
        slot.create_audio_clip(self.file)
        yield
        yield self.set(slot.clip, "warping", self.planned["warping"])
        yield self.planned["warp_mode"] is None or self.set(slot.clip, "warp_mode", self.planned["warp_mode"])

    def check_warping(self, clip):
        self.is_right = clip.warping == self.planned["warping"]
        yield

    def lay_out(self, clip):
        """Sets markers and then the loop, without which Live would ignore its bounds."""
        if clip.warping and self._markers():
            yield from place_markers(clip, self._markers(), self.try_to)
        yield self.set(clip, "looping", self.planned["looping"])

    def set_clip(self, clip, gains):
        yield from self.place_bounds(clip)
        yield from place_gain(self, clip, gains)
        named = {"name": self.planned["name"], "color_index": self.planned["color"]}
        for setting, value in dict(named, pitch_coarse=0, pitch_fine=0).items():
            yield self.set(clip, setting, value)

    def check(self, clip):
        """Chooses the next attempt where Live refused this one, or moved its bounds at once."""
        start, end, _heard = self._bounds(clip)
        is_moved = not is_near([self.bounds[:2]], [(start, self.bounds[1] if end is None else end)])
        is_refused, self._seen_refusals = self._refusals > self._seen_refusals, self._refusals
        self.tries_again = is_moved if self.has_markers(clip) else is_refused
        self.tries_again &= self.attempt < len(self.planned["attempts"]) - 1 and not self.is_theirs
        self.attempt += self.tries_again
        yield

    def place_bounds(self, clip):
        start, end, self._heard = self._bounds(clip)
        for low, high in (("loop_start", "loop_end"), ("start_marker", "end_marker"))[: 1 + clip.looping]:
            # The end is set first where the start would pass it.
            pair = [(low, start), (high, end)]
            for setting, value in reversed(pair) if start >= getattr(clip, high) else pair:
                if value is not None:
                    yield self.set(clip, setting, value)
        self.bounds = bounds_of(clip)

    def notice(self):
        """A late analysis replaces markers. Where only bounds changed, a person did it."""
        with suppress(Exception):  # The next look tells what is gone.
            before, self.bounds = self.bounds, bounds_of(self.clip)
            self.is_theirs |= self.bounds != before and self.has_markers(self.clip)

    def has_markers(self, clip):
        """Checks for the requested markers, or those by which the start was placed."""
        wanted = self.wanted_markers()
        return not wanted or is_near(markers_of(clip)[:-1], wanted)

    def read(self, clip):
        holds, track = {"track": self.track.name}, self.track
        with suppress(Exception):  # Live doesn't tell everything.
            holds.update(track_color=track.color_index, volume=track.mixer_device.volume.value, armed=track.arm)
        with suppress(Exception):
            routing = track.input_routing_type
            holds["input"] = "No Input" if is_no_input(routing) else routing.display_name
        for setting in READ:
            with suppress(Exception):
                holds[setting] = getattr(clip, setting)
            yield
        self.holds = dict(holds, markers=markers_of(clip) if holds.get("warping") else None)
        with suppress(Exception):
            self.seconds = self.seconds or clip.sample_length / clip.sample_rate

    def wanted_markers(self):
        """Returns them without the hidden one."""
        return self._markers() or self._heard[:-1]

    def _markers(self):
        return [tuple(map(float, each)) for each in self.planned["attempts"][self.attempt].get("markers") or []]

    def _bounds(self, clip):
        attempt = self.planned["attempts"][self.attempt]
        start, end, heard = attempt.get("start"), attempt.get("end"), []
        if start is None:
            heard = markers_of(clip) if clip.warping else []
            (seconds, beats), (later, more) = heard[:2] or ((0, 0), (1, 1))
            start = beats - seconds * (more - beats) / (later - seconds)
            end = attempt.get("beats") and start + attempt["beats"]
        return float(start), end, heard


def bounds_of(clip):
    return clip.loop_start, clip.loop_end, clip.start_marker, clip.end_marker


def is_no_input(routing):
    """Recognizes the input by its category, which has no language, or else by its English name."""
    category = str(getattr(routing, "category", "")).split(".")[-1]
    return category in NO_INPUT or routing.display_name == "No Input"


def inside(path, folders):
    """Resolves a sound's path. Raises a Refusal when it is no file below one of the folders."""
    real = os.path.realpath(path)
    roots = [os.path.join(os.path.realpath(folder), "") for folder in folders if os.path.isabs(folder)]
    if os.path.isfile(real) and any(real.startswith(root) for root in roots):
        return real
    raise Refusal("path", "A sound's file is not in Soundferry's folders.")
