"""What the Set itself knows of imports: a mark on each track, and a note of each unfinished run."""
import json

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


def marked_tracks(song):
    return [(track, read_mark(track)) for track in song.tracks]


def look(song):
    """Returns what the Set holds; the importer draws the conclusions."""
    tracks = [dict(mark, track=track.name) for track, mark in marked_tracks(song)]
    scenes = [scene.name for scene in song.scenes]
    return {"tempo": song.tempo, "scenes": scenes, "tracks": tracks, "unfinished": read_mark(song)}


def index_of(things, wanted):
    """Live makes a new Python object for the same thing at each access."""
    pointers = [thing._live_ptr for thing in things]
    return pointers.index(wanted._live_ptr) if wanted._live_ptr in pointers else -1


def edition():
    live = Live.Application.get_application()
    parts = (live.get_major_version(), live.get_minor_version(), live.get_bugfix_version())
    return {"live": "%d.%d.%d" % parts, "edition": live.get_variant()}
