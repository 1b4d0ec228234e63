"""One sound of a placement: its track, its clip, and the order in which Live takes their settings."""
import os
from contextlib import suppress

from .live_set import read_mark, write_mark
from .server import Refusal
from .warp import is_near, markers_of, place_markers

# Live accepts no float for a whole number, and no whole number for a float.
WHOLE, FLAGS = ("warp_mode", "color_index", "pitch_coarse"), ("warping", "looping", "arm")
READ = """warping warp_mode looping pitch_coarse pitch_fine gain gain_display_string file_path
    loop_start loop_end start_marker end_marker name color_index""".split()


def put(owner, setting, value):
    kind = int if setting in WHOLE else bool if setting in FLAGS else str if setting == "name" else float
    if getattr(owner, setting) != kind(value):
        setattr(owner, setting, kind(value))


class Sound(object):
    """A sound with its settings in Live. Its generators pause after each of Live's calls."""

    def __init__(self, plan, folders):
        self.sound, self.plan, self.planned = plan["sound"], plan, plan["clip"]
        self.file, self._folders = inside(plan["file"], folders), folders
        self.track, self.earlier, self.error, self.holds, self.refused = None, None, None, None, []
        self.attempt, self.is_right, self.is_marked, self._refusals, self._seen_refusals = 0, False, False, 0, 0

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
        state = {"done": self.holds is not None, "attempt": self.attempt, "earlier": self.earlier}
        write_mark(self.track, dict(about, sound=self.sound, **state))
        self.is_marked = True

    def take_earlier(self, tracks):
        """Finds the track of an earlier import by its mark. Only a clip is added there."""
        marks = [(track, read_mark(track)) for track in tracks if track.has_audio_input and not track.is_frozen]
        own = [each for each in marks if each[1] == dict(each[1], sound=self.sound, run=self.plan.get("on"))]
        self.track, self.earlier = own[-1] if own else (None, None)

    def set_track(self):
        yield self.set(self.track, "name", self.plan["name"])
        yield self.set(self.track, "color_index", self.plan["color"])
        yield self.try_to("arm", lambda: self.track.can_be_armed and put(self.track, "arm", False))
        yield self.try_to("input", self._take_no_input)

    def _take_no_input(self):
        for routing in self.track.available_input_routing_types:
            if routing.display_name == "No Input":
                self.track.input_routing_type = routing

    def make_clip(self, slot):
        if inside(self.file, self._folders) != self.file:
            raise ValueError("its file was replaced")
        slot.create_audio_clip(self.file)
        yield
        yield self.set(slot.clip, "warping", self.planned["warping"])
        if self.planned["warp_mode"] is not None:
            yield self.set(slot.clip, "warp_mode", self.planned["warp_mode"])

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
        yield from self._place_gain(clip, gains)
        named = {"name": self.planned["name"], "color_index": self.planned["color"]}
        for setting, value in dict(named, pitch_coarse=0, pitch_fine=0).items():
            yield self.set(clip, setting, value)

    def check(self, clip):
        """Checks the clip, and chooses the next attempt where Live refused this one."""
        start, end = self._bounds(clip)
        bounds = (clip.loop_start, clip.loop_end), (start, clip.loop_end if end is None else end)
        has_markers = not self._markers() or is_near(markers_of(clip)[:-1], self._markers())
        self.is_right = has_markers and is_near(bounds[:1], bounds[1:])
        is_refused = has_markers or self._refusals > self._seen_refusals
        if is_refused and not self.is_right and self.attempt < len(self.planned["attempts"]) - 1:
            self.attempt += 1
        self._seen_refusals = self._refusals
        yield

    def place_bounds(self, clip):
        start, end = self._bounds(clip)
        for low, high in (("loop_start", "loop_end"), ("start_marker", "end_marker"))[: 1 + clip.looping]:
            # The end is set first where the start would pass it.
            pair = [(low, start), (high, end)]
            for setting, value in reversed(pair) if start >= getattr(clip, high) else pair:
                if value is not None:
                    yield self.set(clip, setting, value)

    def read(self, clip):
        holds, track = {"track": self.track.name}, self.track
        with suppress(Exception):  # Live doesn't tell everything.
            holds.update(track_color=track.color_index, volume=track.mixer_device.volume.value)
            holds.update(armed=track.arm, input=track.input_routing_type.display_name)
        for setting in READ:
            with suppress(Exception):
                holds[setting] = getattr(clip, setting)
            yield
        self.holds = dict(holds, markers=markers_of(clip) if holds.get("warping") else None)

    def _markers(self):
        return [tuple(map(float, each)) for each in self.planned["attempts"][self.attempt].get("markers") or []]

    def _bounds(self, clip):
        attempt = self.planned["attempts"][self.attempt]
        start, end = attempt.get("start"), attempt.get("end")
        if start is None:
            (seconds, beats), (later, more) = markers_of(clip)[:2] if clip.warping else ((0, 0), (1, 1))
            start = beats - seconds * (more - beats) / (later - seconds)
            end = attempt.get("beats") and start + attempt["beats"]
        return float(start), end

    def _place_gain(self, clip, known):
        """Searches Live's value for a gain below 0 dB by what Live displays, once for each gain."""
        wanted, value = self.planned["gain"]["db"], self.planned["gain"]["value"]
        if value is None and wanted not in known:
            low, high = 0.0, 0.4
            for _ in range(20):
                middle = clip.gain = (low + high) / 2
                low, high = (middle, high) if shown_gain(clip) < wanted else (low, middle)
                yield
            known[wanted] = high
        self.set(clip, "gain", known[wanted] if value is None else value)


def shown_gain(clip):
    """Reads the gain from Live's display in dB, which has a Unicode minus, and "-inf" for silence."""
    text = clip.gain_display_string.replace("\u2212", "-").split()[0].lower()
    return float("-inf") if "inf" in text or "\u221e" in text else float(text)


def inside(path, folders):
    """Resolves a sound's path. Raises a Refusal when it is no file below one of the folders."""
    real = os.path.realpath(path)
    roots = [os.path.join(os.path.realpath(folder), "") for folder in folders if os.path.isabs(folder)]
    if os.path.isfile(real) and any(real.startswith(root) for root in roots):
        return real
    raise Refusal("path", "A sound's file is not in Soundferry's folders.")
