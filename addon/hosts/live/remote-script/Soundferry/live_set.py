"""The Set's record of imports: a mark on each track, and a note of each unfinished run."""
import json

KEY = "soundferry"


def read_mark(owner):
    try:
        return dict(json.loads(owner.get_data(KEY, "{}")))
    except (ValueError, TypeError):
        return {}  # The mark isn't ours, or its track is gone.


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


def pointer(thing):
    """Returns Live's own pointer: Live makes a new Python object for the same thing at each access."""
    return getattr(thing, "_live_ptr", thing)


def index_of(things, wanted, near=-1):
    """Returns an index, or -1. Looks at the likely index first: a Set may have thousands of things."""
    wanted = pointer(wanted)
    if 0 <= near < len(things) and pointer(things[near]) == wanted:
        return near
    return next((index for index, thing in enumerate(things) if pointer(thing) == wanted), -1)
