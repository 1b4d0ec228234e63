"""The Set's record of imports: a mark on each track, and a note of each unfinished run."""
import json

KEY = "soundferry"


def read_mark(owner):
    try:
        return dict(json.loads(owner.get_data(KEY, "{}")))
    except (ValueError, TypeError):
        return {}  # The mark isn't ours.


def write_mark(owner, mark):
    owner.set_data(KEY, json.dumps(mark))


def note_run(song, run, note):
    """Records an unfinished run in the Set, or removes its note."""
    notes = dict(read_mark(song), **{run: note})
    write_mark(song, {run: note for run, note in notes.items() if note is not None})


def look(song):
    """Returns the Set's tempo, scenes, tracks and notes; the importer draws the conclusions."""
    tracks = [dict(read_mark(track), track=track.name) for track in song.tracks]
    scenes = [scene.name for scene in song.scenes]
    return {"tempo": song.tempo, "scenes": scenes, "tracks": tracks, "unfinished": read_mark(song)}


def index_of(things, wanted):
    """Returns an index by Live's own pointer: Live makes a new Python object for the same thing at each access."""
    pointers = [getattr(thing, "_live_ptr", thing) for thing in list(things) + [wanted]]
    index = pointers.index(pointers[-1])
    return index if index < len(pointers) - 1 else -1
