"""A Set as JSON. What dump_set returns, load_set takes."""

import json
import math

from .clip_rules import read_end
from .levels import float32, gain_db
from .state import AUDIO, ClipState, SetState
from .warp import points_of, seconds_at

_CLIP = {
    "name": "name",
    "colorIndex": "color_index",
    "isAudio": "is_audio",
    "warping": "warping",
    "warpMode": "warp_mode",
    "looping": "looping",
    "muted": "muted",
    "shadowBpm": "shadow_bpm",
    "play": "play",
    "brace": "brace",
    "unrealEnd": "unreal_end",
    "gain": "gain",
    "pitchCoarse": "pitch_coarse",
    "pitchFine": "pitch_fine",
}
_TRACK = {
    "name": "name",
    "colorIndex": "color_index",
    "volume": "volume",
    "arm": "arm",
    "isFrozen": "frozen",
    "mute": "mute",
    "solo": "solo",
    "inputType": "input_type",
    "data": "data",
}
_SCENE = {"name": "name", "colorIndex": "color_index", "tempo": "tempo", "hasTimeSignature": "has_time_signature", "data": "data"}
_SET = {
    "name": "name",
    "filePath": "file_path",
    "tempo": "tempo",
    "isPlaying": "is_playing",
    "data": "data",
}


def dump_set(state, habits):
    """The whole Set."""
    dumped = _dump(state, _SET)
    dumped["selectedTrack"] = state.index_of(state.tracks, state.selected_track)
    dumped["selectedScene"] = state.index_of(state.scenes, state.selected_scene)
    dumped["detailClip"] = next(
        ([column, row] for column, track in enumerate(state.tracks) for row, slot in enumerate(track.slots)
         if slot.clip is not None and slot.clip.id == state.detail_clip), None)
    dumped["scenes"] = [dict(_dump(scene, _SCENE), id=scene.id) for scene in state.scenes]
    dumped["tracks"] = [_dump_track(track, habits) for track in state.tracks]
    # A copy: what is sent later must not change with the Set.
    return json.loads(json.dumps(dumped))


def load_set(given, habits):
    """A Set with new objects. Anything may be left out."""
    state = SetState(habits.reuses_addresses)
    _load(state, given, _SET)
    for index, scene in enumerate(given.get("scenes", [{}] * 8)):
        _load(state.add_scene(index, ""), scene, _SCENE)
    for index, track in enumerate(given.get("tracks", [{"kind": "midi"}, {"kind": AUDIO}])):
        kind = track.get("kind", AUDIO)
        name = "%d-%s" % (index + 1, "Audio" if kind == AUDIO else "MIDI")
        loaded = state.add_track(index, kind, name)
        _load(loaded, track, _TRACK)
        for slot, clip in zip(loaded.slots, track.get("clips", [])):
            slot.clip = None if clip is None else _load_clip(state, clip)
    track, scene = given.get("selectedTrack", 0), given.get("selectedScene", 0)
    state.select(True, selected_track=_id_at(state.tracks, track), selected_scene=_id_at(state.scenes, scene))
    state.select(True, detail_clip=_clip_at(state, given.get("detailClip")))
    return state


def dump_clip(clip, habits):
    """A clip as it is held, as Live would read it, and as it sounds."""
    habits = habits.of_file(clip.file_path)
    dumped = _dump(clip, _CLIP)
    points = points_of(clip, habits)
    sounding = clip.brace if clip.looping else clip.play
    ends = (clip.play[0], sounding[0], sounding[1])
    start, loop_start, end = [seconds_at(points, at) if clip.warping else at for at in ends]
    decibels = gain_db(float32(clip.gain))
    dumped.update(
        id=clip.id,
        filePath=clip.file_path,
        frames=clip.frames,
        sampleRate=clip.rate,
        markers=[list(marker) for marker in clip.markers],
        shadow=list(points[-1]),
        loopStart=read_end(clip, "brace", 0),
        loopEnd=read_end(clip, "brace", 1),
        startMarker=read_end(clip, "play", 0),
        endMarker=read_end(clip, "play", 1),
        startSeconds=start,
        loopStartSeconds=loop_start,
        endSeconds=end,
        gainDb=None if decibels == -math.inf else decibels,
    )
    return dumped


def _dump_track(track, habits):
    clips = [None if slot.clip is None else dump_clip(slot.clip, habits) for slot in track.slots]
    return dict(_dump(track, _TRACK), id=track.id, kind=track.kind, clips=clips)


def _load_clip(state, given):
    clip = ClipState(state, given.get("filePath", ""), given.get("frames", 1), given.get("sampleRate", 1))
    return load_clip(clip, given)


def load_clip(clip, given):
    """Give a clip some settings."""
    _load(clip, given, _CLIP)
    clip.markers = [tuple(marker) for marker in given.get("markers", clip.markers)]
    return clip


def load_scene(scene, given):
    """Give a scene some settings."""
    _load(scene, given, _SCENE)


def _dump(item, keys):
    return {key: getattr(item, attribute) for key, attribute in keys.items()}


def _load(item, given, keys):
    for key, attribute in keys.items():
        if key in given:
            setattr(item, attribute, given[key])


def _clip_at(state, place):
    clip = None if place is None else state.tracks[place[0]].slots[place[1]].clip
    return None if clip is None else clip.id


def _id_at(row, index):
    return row[index].id if index is not None and index < len(row) else None
