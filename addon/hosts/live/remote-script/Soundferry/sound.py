"""One sound of a placement: its track, its clip, and the order in which Live takes their settings."""
import os

import Live

from .live_set import write_mark
from .server import Refusal

BEATS = 1e-7
STEEPEST, FLATTEST = 16.0, 0.1  # beats a second, inside of Live's 999 and 5 BPM
# Live takes no float for a whole number, and no whole number for a float.
TYPES = dict.fromkeys("warp_mode color_index pitch_coarse".split(), int)
TYPES.update(dict.fromkeys("warping looping arm".split(), bool), name=str)
READ = """warping warp_mode looping pitch_coarse pitch_fine gain gain_display_string file_path
    loop_start loop_end start_marker end_marker name color_index""".split()


def put(owner, setting, value):
    value = TYPES.get(setting, float)(value)
    if getattr(owner, setting) != value:
        setattr(owner, setting, value)


class Sound(object):
    """Its generators pause after each of Live's calls."""

    def __init__(self, plan, folders):
        self.id, self.plan, self._folders, self.file = plan["sound"], plan, folders, inside(plan["file"], folders)
        self.track = self.error = self.holds = None
        self.attempt, self.refused, self._answered, self.is_right = 0, [], 0, False

    def result(self):
        told = {"sound": self.id, "error": self.error, "attempt": self.attempt}
        return dict(told, refused=self.refused, holds=self.holds)

    def try_to(self, setting, call, *arguments):
        try:
            call(*arguments)
        except Exception as error:
            self.refused.append({"setting": setting, "message": str(error)})

    def set(self, owner, setting, value):
        self.try_to(setting, put, owner, setting, value)

    def mark(self, run, package, scene):
        about = {"run": run, "package": package, "sound": self.id, "scene": scene}
        write_mark(self.track, dict(about, done=self.holds is not None, attempt=self.attempt))

    def set_track(self):
        yield self.set(self.track, "name", self.plan["name"])
        yield self.set(self.track, "color_index", self.plan["color"])
        if self.track.can_be_armed:
            yield self.set(self.track, "arm", False)
        for routing in self.track.available_input_routing_types:
            if routing.display_name == "No Input":
                yield self.try_to("input", setattr, self.track, "input_routing_type", routing)

    def make_clip(self, slot):
        if inside(self.file, self._folders) != self.file:
            raise ValueError("its file was replaced")
        slot.create_audio_clip(self.file)
        yield
        for setting in ("warping", "warp_mode"):
            if self.plan["clip"][setting] is not None:
                yield self.set(slot.clip, setting, self.plan["clip"][setting])

    def check_warping(self, clip):
        self.is_right = clip.warping == self.plan["clip"]["warping"]
        yield

    def lay_out(self, clip):
        """Markers before the loop, and the loop before its bounds, which Live ignores without it."""
        yield from self.place_markers(clip)
        yield self.set(clip, "looping", self.plan["clip"]["looping"])

    def set_clip(self, clip, gains):
        yield from self.place_bounds(clip)
        yield from self.place_gain(clip, gains)
        settings = {"name": self.plan["clip"]["name"], "color_index": self.plan["clip"]["color"]}
        for setting, value in dict(settings, pitch_coarse=0, pitch_fine=0).items():
            yield self.set(clip, setting, value)

    def markers(self):
        return [tuple(map(float, each)) for each in self.plan["clip"]["attempts"][self.attempt].get("markers") or []]

    def bounds(self, clip):
        attempt = self.plan["clip"]["attempts"][self.attempt]
        start, end = attempt.get("start"), attempt.get("end")
        if start is None:
            (seconds, beats), (later, more) = markers_of(clip)[:2] if clip.warping else ((0, 0), (1, 1))
            start = beats - seconds * (more - beats) / (later - seconds)
            end = attempt.get("beats") and start + attempt["beats"]
        return float(start), end

    def check(self, clip):
        """Turns to the next attempt where Live refused this one."""
        start, end = self.bounds(clip)
        wanted = self.markers()
        held = markers_of(clip)[:-1] if wanted else []
        pairs = [pair for got, asked in zip(held, wanted) for pair in zip(got, asked)]
        has_markers = len(held) == len(wanted) and all(abs(got - asked) <= BEATS for got, asked in pairs)
        pairs = [(clip.loop_start, start), (clip.loop_end, clip.loop_end if end is None else end)]
        self.is_right = has_markers and all(abs(got - asked) <= BEATS for got, asked in pairs)
        is_last = self.attempt == len(self.plan["clip"]["attempts"]) - 1
        if not (self.is_right or is_last) and (has_markers or len(self.refused) > self._answered):
            self.attempt += 1
        self._answered = len(self.refused)
        yield

    def place_markers(self, clip):
        """Leaves the two wanted markers, which lie on one line with beat 0 at the file's start."""
        wanted, remove = self.markers(), lambda beats: self.try_to("warp_markers", clip.remove_warp_marker, beats)
        add = lambda *point: self.try_to("warp_markers", clip.add_warp_marker, Live.Clip.WarpMarker(*point))
        if not wanted or not clip.warping:
            return
        slope = wanted[1][1] / wanted[1][0]
        for _seconds, beats in reversed(markers_of(clip)[1:-1]):
            yield remove(beats)
        for _ in range(8):
            seconds, beats = markers_of(clip)[0]
            if abs(seconds * slope - beats) <= BEATS:
                break
            # A marker on the line, or as near to it as Live's tempo limits let it be from here.
            _, at, new = min(reach(beats, seconds, at, at * slope) for at, _ in wanted if at != seconds)
            yield add(at, new)
            yield remove(beats)
        for point in wanted:
            if point not in markers_of(clip)[:-1]:
                yield add(*point)
        for point in markers_of(clip)[:-1]:
            if point not in wanted:
                yield remove(point[1])

    def place_bounds(self, clip):
        start, end = self.bounds(clip)
        for low, high in (("loop_start", "loop_end"), ("start_marker", "end_marker"))[: 1 + clip.looping]:
            # The end goes first where the start would pass it.
            pair = [(low, start), (high, end)]
            for setting, value in reversed(pair) if start >= getattr(clip, high) else pair:
                if value is not None:
                    yield self.set(clip, setting, value)

    def place_gain(self, clip, known):
        """Searches Live's value for a gain below 0 dB by what Live displays, once for each gain."""
        wanted, value = self.plan["clip"]["gain"]["db"], self.plan["clip"]["gain"]["value"]
        if value is None and wanted not in known:
            low, high = 0.0, 0.4
            for _ in range(20):
                middle = clip.gain = (low + high) / 2
                low, high = (middle, high) if shown_gain(clip) < wanted else (low, middle)
                yield
            known[wanted] = high
        self.set(clip, "gain", known[wanted] if value is None else value)

    def read(self, clip):
        holds = {"track": self.track.name, "track_color": self.track.color_index, "markers": None}
        holds.update(volume=self.track.mixer_device.volume.value, armed=self.track.can_be_armed and self.track.arm)
        holds["input"] = self.track.input_routing_type.display_name
        yield
        for setting in READ:
            holds[setting] = getattr(clip, setting)
            yield
        if holds["warping"]:
            holds["markers"] = markers_of(clip)
        self.holds = holds


def markers_of(clip):
    """The last one is hidden: it only says which tempo goes on after the others, and can't be changed."""
    return [(marker.sample_time, marker.beat_time) for marker in clip.warp_markers]


def reach(beats, seconds, at, wanted):
    """Returns how near to a wanted beat a new marker can be, its second and its beat."""
    low, high = sorted((beats + (at - seconds) * STEEPEST, beats + (at - seconds) * FLATTEST))
    reached = min(max(wanted, low), high)
    return abs(wanted - reached), at, reached


def shown_gain(clip):
    """Live's display in dB; it writes a Unicode minus, and "-inf" for silence."""
    text = clip.gain_display_string.replace("\u2212", "-").split()[0].lower()
    return float("-inf") if "inf" in text or "\u221e" in text else float(text)


def inside(path, folders):
    """Resolves a sound's path. @raises Refusal when it is no file below one of the folders"""
    real = os.path.realpath(path)
    roots = [os.path.join(os.path.realpath(folder), "") for folder in folders if os.path.isabs(folder)]
    if os.path.isfile(real) and any(real.startswith(root) for root in roots):
        return real
    raise Refusal("path", "A sound's file is not in Soundferry's folders.")
