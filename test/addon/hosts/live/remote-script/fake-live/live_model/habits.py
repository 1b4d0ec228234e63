"""The behavior of the fake Live. Where sources about Live conflict, a habit decides."""

import re

DEFAULTS = {
    # Version and edition. limits is {"tracks": n, "scenes": n}, or None for the edition's own.
    "version": "12.3.6",
    "variant": "Suite",
    "limits": None,
    # Live's clock: milliseconds between two update_display, and how fast it runs in the tests.
    "tick_ms": 100,
    "real_tick_ms": 5,
    "burst_after_pause": 5,
    # What a call costs, by label ("Song.create_audio_track") or "*"; slept, or only accounted.
    "call_ms": {},
    "sleeps": True,
    # Calls that Live refuses: [{"call": label, "nth": n or None, "message": text}].
    "failing": [],
    "drops_script_on_error": False,
    # Proxies.
    "reuses_addresses": True,
    "dead_objects": "type error",
    # Types. floats_reject_ints is "all" or a list of labels.
    "floats_reject_ints": "all",
    "ints_reject_bools": True,
    "bools_reject_ints": True,
    # Warping.
    "warping_after_ticks": 0,
    "warping_reads_at_once": False,
    "warping_and_markers": "raise",
    "warping_and_looping": "by version",
    "reanalyzes_on_warp": False,
    "unwarping_keeps_looping": True,
    "looping_turns_warp_on": True,
    # A new clip: "auto-warped", "unwarped" or "short loop". The guess is a tempo or "powers of two".
    "fresh": "auto-warped",
    "guess": "powers of two",
    "markers_left": 5,
    "first_marker_seconds": 0.5,
    "start_moved_seconds": 0.5,
    "drift": 0.03,
    "fresh_looping": False,
    "fresh_warp_mode": 4,
    "fresh_gain": 0.4,
    "fresh_pitch": [0, 0.0],
    "reads_asd": True,
    "analysis_ticks": 0,
    "analysis_again_ticks": 0,
    "analysis_overwrites": "always",
    "create_returns_clip": True,
    "file_paths": "as given",
    # The same habits for one file, by its name; true_bpm lets the fake recognize swapped arguments.
    "files": {},
    "true_bpm": None,
    # Markers.
    "shadow_slope": "last segment",
    "shadow_removal": "doesn't exist",
    "marker_keywords": False,
    "marker_at_file_end": True,
    "removes_last_marker": False,
    "unwarped_markers": "list",
    # Loop and start.
    "allows_past_file": False,
    "end_slack_seconds": 1e-9,
    # Display of gain and volume.
    "gain_digits": 1,
    "gain_text": None,
    "minus": "\u2212",
    "infinity": "-inf dB",
    # Tracks and scenes.
    "new_track_armed": False,
    "creating_selects": False,
    "scene_data": False,
    "number_signs": False,
    "input_categories": {},
    "input_types": ["Ext. In", "Resampling", "1-Audio", "No Input"],
    # Undo. Calls that are always entries of their own, by label.
    "own_undo_entries": [],
    "steps_end_with_callback": False,
}

EDITION_LIMITS = {
    "Lite": {"tracks": 8, "scenes": 8},
    "Intro": {"tracks": 16, "scenes": 16},
}


class Habits:
    """The defaults with what a test changed; keys arrive in camel case."""

    def __init__(self, given=None):
        self.__dict__.update(DEFAULTS)
        self.change(given or {})

    def change(self, given):
        """Change some habits. An unknown one is a ValueError."""
        self.__dict__.update(_known(given))

    def of_file(self, path):
        """The habits for one file."""
        name = path.replace("\\", "/").rsplit("/", 1)[-1]
        special = self.files.get(name)
        if special is None:
            return self
        own = Habits()
        own.__dict__.update(self.__dict__)
        own.change(special)
        return own

    def numbers(self):
        """The version as a tuple of three numbers."""
        numbers = [int(part) for part in re.findall(r"\d+", self.version)[:3]]
        return tuple(numbers + [0] * (3 - len(numbers)))

    def limit_of(self, what):
        """Returns the number of tracks or scenes that the edition takes, or None."""
        limits = self.limits or EDITION_LIMITS.get(self.variant, {})
        return limits.get(what)


def _known(given):
    known = {}
    for key, value in given.items():
        name = re.sub(r"([A-Z])", lambda match: "_" + match.group(1).lower(), key)
        if name not in DEFAULTS:
            raise ValueError("There is no habit %s." % key)
        known[name] = value
    return known
