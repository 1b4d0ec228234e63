"""What the Set knows of imports: a mark on each track, and a note of each unfinished run."""
import json
import time

import Live

KEY = "soundferry"


def read_mark(owner):
    try:
        return dict(json.loads(owner.get_data(KEY, "{}")))
    except (ValueError, TypeError):
        return {}  # Nothing of ours.


def write_mark(owner, mark):
    owner.set_data(KEY, json.dumps(mark))


def note_run(song, run, note):
    """Writes down an unfinished run in the Set, or removes it."""
    notes = dict(read_mark(song), **{run: note})
    write_mark(song, {run: note for run, note in notes.items() if note is not None})


def look(song):
    """Returns what the Set holds; the importer draws the conclusions."""
    tracks = [dict(read_mark(track), track=track.name) for track in song.tracks]
    scenes = [scene.name for scene in song.scenes]
    return {"tempo": song.tempo, "scenes": scenes, "tracks": tracks, "unfinished": read_mark(song)}


def index_of(things, wanted):
    """Live makes a new Python object for the same thing at each access."""
    pointers = [getattr(thing, "_live_ptr", thing) for thing in list(things) + [wanted]]
    index = pointers.index(pointers[-1])
    return index if index < len(pointers) - 1 else -1


def edition():
    live = Live.Application.get_application()
    parts = (live.get_major_version(), live.get_minor_version(), live.get_bugfix_version())
    return {"live": "%d.%d.%d" % parts, "edition": live.get_variant()}


def probe(song, steps, tick, inside):
    """Carries out the steps of `soundferry live check`, [path, verb, arguments], and times each."""
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
            if name == "create_audio_clip":
                arguments = [inside(*arguments)]
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
    """JavaScript writes no float without decimals, so it sends {"float": 4}."""
    if not isinstance(value, dict):
        return value
    return float(value["float"]) if "float" in value else {key: given(each) for key, each in value.items()}


def told(value):
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return len(value) if hasattr(value, "__len__") else type(value).__name__
