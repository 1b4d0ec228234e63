"""The Set."""

from live_model.members import LiveObject, Vector, check, forbidden, live_method, live_property
from live_model.levels import float32
from live_model.state import AUDIO, MIDI
from live_model.warp import Refusal
from live_model.world import world

from .Base import LimitationError
from .Clip import Clip
from .ClipSlot import ClipSlot
from .Scene import Scene
from .Track import Track


class _SetItem:
    id, ptr = 0, 2


def song():
    """The Set that is open."""
    return Song(_SetItem)


class _OfSet(LiveObject):
    """A proxy of the Set as a whole."""

    def _item(self):
        if self._generation != world.generation:
            return LiveObject._item(self)
        return world.set


class Song(_OfSet):
    """The open Set; gone once another one is opened."""

    @live_property
    def tempo(self, state):
        """BPM."""
        return float32(state.tempo)

    @tempo.writes(float)
    def tempo(self, state, value):
        forbidden("tempo", "WRITES_THE_TEMPO", "Song")
        state.tempo = value

    @live_property
    def name(self, state):
        """The name of the file."""
        return state.name

    @live_property
    def file_path(self, state):
        """The path of the file; empty if the Set was never saved."""
        return state.file_path

    @live_property
    def tracks(self, state):
        """All but returns and Main."""
        return Vector(state.tracks, Track)

    @live_property
    def visible_tracks(self, state):
        """None is folded away."""
        return Vector(state.tracks, Track)

    @live_property
    def return_tracks(self, state):
        """None here."""
        return Vector([])

    @live_property
    def scenes(self, state):
        """The scenes from top to bottom."""
        return Vector(state.scenes, Scene)

    @live_property
    def view(self, state):
        """The selection."""
        return SongView(_SetItem)

    @live_property
    def is_playing(self, state):
        """True while it plays."""
        return state.is_playing

    @is_playing.writes(bool)
    def is_playing(self, state, value):
        forbidden("is_playing", "LAUNCHES" if value else "STOPS", "Song")
        state.is_playing = value

    @live_property
    def current_song_time(self, state):
        """Beats."""
        return state.song_time

    @live_property
    def can_undo(self, state):
        """True if there is a step to undo."""
        return len(world.undo.entries) > 0

    @live_property
    def can_redo(self, state):
        """True if a step was undone."""
        return len(world.undo.undone) > 0

    @live_method(changes=True)
    def create_scene(self, state, index):
        """Insert a scene; -1 is the end."""
        check(int, index, "Song.create_scene")
        place = _place(index, len(state.scenes), "scenes")
        scene = state.add_scene(place, "")
        if world.habits.creating_selects:
            state.select(selected_scene=scene.id, detail_clip=None)
        return Scene(scene)

    @live_method(changes=True)
    def create_audio_track(self, state, index=None):
        """Insert an audio track; -1 is the end, None is after the selected one."""
        return Track(_create_track(state, AUDIO, index))

    @live_method(changes=True)
    def create_midi_track(self, state, index=None):
        """Insert a MIDI track."""
        return Track(_create_track(state, MIDI, index))

    @live_method(changes=True)
    def delete_scene(self, state, index):
        """Remove a scene; one always stays."""
        _judge_deletion(state.scenes, index, "Song.delete_scene")
        state.remove_scene(index)

    @live_method(changes=True)
    def delete_track(self, state, index):
        """Remove a track; one always stays."""
        _judge_deletion(state.tracks, index, "Song.delete_track")
        state.remove_track(index)

    @live_method(changes=True)
    def duplicate_scene(self, state, index):
        """Copy and select it."""
        check(int, index, "Song.duplicate_scene")
        forbidden("duplicate_scene", "SELECTS", "Song")
        scene = state.add_scene(index + 1, state.scenes[index].name)
        state.selected_scene = scene.id

    @live_method(changes=True)
    def duplicate_track(self, state, index):
        """Copy and select it."""
        check(int, index, "Song.duplicate_track")
        forbidden("duplicate_track", "SELECTS", "Song")
        source = state.tracks[index]
        state.selected_track = state.add_track(index + 1, source.kind, source.name).id

    @live_method()
    def begin_undo_step(self, state):
        """Open an undo step."""
        world.undo.begin()

    @live_method()
    def end_undo_step(self, state):
        """Close it."""
        world.undo.end()

    @live_method()
    def undo(self, state):
        """Take back the last step, whoever's it is."""
        undone = world.undo.undo(state)
        if undone is not None:
            world.set = undone[0]
            if undone[1] == "user":
                world.fault("UNDOES_THE_PERSONS_WORK", "violation", "Song.undo")

    @live_method()
    def get_data(self, state, key, default):
        """Data that is saved with the Set."""
        check(str, key, "Song.get_data")
        return state.data.get(key, default)

    @live_method(changes=True)
    def set_data(self, state, key, value):
        """Save data with the Set."""
        check(str, key, "Song.set_data")
        state.data[key] = value

    @live_method()
    def start_playing(self, state):
        """Play."""
        forbidden("start_playing", "LAUNCHES", "Song")

    @live_method()
    def continue_playing(self, state):
        """Play on."""
        forbidden("continue_playing", "LAUNCHES", "Song")

    @live_method()
    def stop_playing(self, state):
        """Stop."""
        forbidden("stop_playing", "STOPS", "Song")

    @live_method()
    def stop_all_clips(self, state, *given):
        """Stop all clips."""
        forbidden("stop_all_clips", "STOPS", "Song")


class SongView(_OfSet):
    """The selection. A correct script selects nothing but what the person had selected."""

    @live_property
    def selected_scene(self, state):
        """The selected scene."""
        return Scene(state.by_id[state.selected_scene])

    @selected_scene.writes(object, changes=False)
    def selected_scene(self, state, value):
        _select(state, "selected_scene", value)

    @live_property
    def selected_track(self, state):
        """The selected track."""
        return Track(state.by_id[state.selected_track])

    @selected_track.writes(object, changes=False)
    def selected_track(self, state, value):
        _select(state, "selected_track", value)

    @live_property
    def highlighted_clip_slot(self, state):
        """The slot in which the selected track and scene cross."""
        index = state.index_of(state.scenes, state.selected_scene)
        return ClipSlot(state.by_id[state.selected_track].slots[index])

    @highlighted_clip_slot.writes(object, changes=False)
    def highlighted_clip_slot(self, state, value):
        forbidden("highlighted_clip_slot", "SELECTS", "Song.View")

    @live_property
    def detail_clip(self, state):
        """The clip whose details are shown."""
        return None if state.detail_clip is None else Clip(state.by_id[state.detail_clip])

    @detail_clip.writes(object, changes=False)
    def detail_clip(self, state, value):
        _select(state, "detail_clip", value)


def _select(state, kind, value):
    chosen = None if value is None else value._item().id
    if chosen != state.chosen.get(kind):
        forbidden(kind, "SELECTS", "Song.View")
    state.select(**{kind: chosen})


def _create_track(state, kind, index):
    if index is None:
        selected = state.index_of(state.tracks, state.selected_track)
        index = -1 if selected is None else selected + 1
    check(int, index, "Song.create_track")
    place = _place(index, len(state.tracks), "tracks")
    name = "%d-%s" % (len(state.tracks) + 1, "Audio" if kind == AUDIO else "MIDI")
    track = state.add_track(place, kind, name)
    track.color_index = (track.id * 5) % 14
    track.arm = world.habits.new_track_armed
    if world.habits.creating_selects:
        state.select(selected_track=track.id, detail_clip=None)
    return track


def _place(index, count, what):
    limit = world.habits.limit_of(what)
    if limit is not None and count >= limit:
        world.fault("LIMIT", "refusal", what)
        raise LimitationError("Limit of %s reached" % what)
    if index > count or index < -1:
        world.fault("NO_SUCH_PLACE", "refusal", what)
        raise LimitationError("Invalid index")
    return count if index == -1 else index


def _judge_deletion(row, index, label):
    check(int, index, label)
    if not 0 <= index < len(row):
        raise Refusal("NO_SUCH_PLACE", "Invalid index")
    if len(row) == 1:
        raise Refusal("LAST_ONE", "The last one can't be deleted")
