"""The actions of the person in front of Live between two ticks."""

from .state import AUDIO
from .world import world


def edit(given):
    """Do one thing, as its own undo step. given: {"do": name, …}; an unknown name is a ValueError."""
    name = given["do"]
    if name == "undo":
        undone = world.undo.undo()
        if undone is not None:
            world.set = undone[0]
        return
    if name not in _EDITS:
        raise ValueError("There is no edit %s." % name)
    if name not in ("selectTrack", "selectScene", "play", "stop"):
        world.undo.before_change(world.set, name, "user", True)
    _EDITS[name](world.set, given)


def _insert_track(state, given):
    name = given.get("name", "Inserted")
    state.add_track(given["index"], given.get("kind", AUDIO), name)


def _insert_scene(state, given):
    state.add_scene(given["index"], given.get("name", ""))


def _rename_track(state, given):
    state.tracks[given["index"]].name = given["name"]


def _rename_scene(state, given):
    state.scenes[given["index"]].name = given["name"]


def _select_track(state, given):
    state.selected_track = state.tracks[given["index"]].id


def _select_scene(state, given):
    state.selected_scene = state.scenes[given["index"]].id


def _set_playing(is_playing):
    def act(state, given):
        state.is_playing = is_playing

    return act


_EDITS = {
    "insertTrack": _insert_track,
    "deleteTrack": lambda state, given: state.remove_track(given["index"]),
    "moveTrack": lambda state, given: state.tracks.insert(
        given["to"], state.tracks.pop(given["index"])
    ),
    "renameTrack": _rename_track,
    "insertScene": _insert_scene,
    "deleteScene": lambda state, given: state.remove_scene(given["index"]),
    "moveScene": lambda state, given: state.move_scene(given["index"], given["to"]),
    "renameScene": _rename_scene,
    "deleteClip": lambda state, given: state.remove_clip(
        state.tracks[given["track"]].slots[given["scene"]]
    ),
    "selectTrack": _select_track,
    "selectScene": _select_scene,
    "play": _set_playing(True),
    "stop": _set_playing(False),
}
