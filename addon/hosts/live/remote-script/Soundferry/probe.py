"""The steps of `soundferry live check`, which return Live's own answers and their times."""
import time

import Live

from .sound import inside


def probe(song, steps, tick, folders):
    """Carries out steps: [path, verb, arguments]. A path starts at the song, or at an earlier step's result."""
    results, values = [], []
    for path, verb, arguments in steps:
        begun, value = time.perf_counter(), None
        try:
            if any(str(name).startswith("_") for name in path):
                raise ValueError("Not for a check.")
            owner, name, arguments = song, path[-1], [given(each) for each in arguments]
            if isinstance(path[0], int):
                owner, path = values[path[0]], path[1:]
            for each in path[:-1]:
                owner = owner[each] if isinstance(each, int) else getattr(owner, each)
            arguments = [inside(arguments[0], folders)] if name == "create_audio_clip" else arguments
            if name == "add_warp_marker":
                keywords = arguments.pop() if isinstance(arguments[-1], dict) else {}
                arguments = [Live.Clip.WarpMarker(*arguments, **keywords)]
            value = setattr(owner, name, *arguments) if verb == "set" else getattr(owner, name)
            value = value(*arguments) if verb == "call" else value
            result = {"value": told(value)}
        except Exception as error:
            result = {"error": "%s: %s" % (type(error).__name__, error)}
        values.append(value)
        results.append(dict(result, ms=1000 * (time.perf_counter() - begun), tick=tick))
    return results


def given(value):
    """Returns an argument. JavaScript writes no float without decimals, so it sends {"float": 4}."""
    if not isinstance(value, dict):
        return value
    return float(value["float"]) if "float" in value else {key: given(each) for key, each in value.items()}


def told(value):
    is_scalar = isinstance(value, (bool, int, float, str, type(None)))
    return value if is_scalar else len(value) if hasattr(value, "__len__") else type(value).__name__
