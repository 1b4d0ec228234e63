"""The actions of the person in front of Live between two ticks."""

from .dump import load_clip, load_scene
from .state import AUDIO
from .world import world


def edit(given):
    """Do one thing, as its own undo step. given: {"do": name, …}; an unknown name is a ValueError."""
    name = given["do"]
    if name in ("undo", "redo"):
        undone = getattr(world.undo, name)(world.set)
        if undone is not None:
            world.set = undone[0]
        return
    if name not in _EDITS:
        raise ValueError("There is no edit %s." % name)
    if name not in ("selectTrack", "selectScene", "openClip", "play", "stop"):
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
    state.select(True, selected_track=state.tracks[given["index"]].id)


def _select_scene(state, given):
    state.select(True, selected_scene=state.scenes[given["index"]].id)


def _clip_of(state, given):
    return state.tracks[given["track"]].slots[given["scene"]].clip


def _open_clip(state, given):
    state.select(True, detail_clip=_clip_of(state, given).id)


def _change_clip(state, given):
    load_clip(_clip_of(state, given), given["to"])


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
    "openClip": _open_clip,
    "changeClip": _change_clip,
    "changeScene": lambda state, given: load_scene(state.scenes[given["index"]], given["to"]),
    "selectTrack": _select_track,
    "selectScene": _select_scene,
    "play": _set_playing(True),
    "stop": _set_playing(False),
}
