"""A scene."""

from live_model.levels import float32
from live_model.members import LiveObject, Vector, check, forbidden, live_method, live_property
from live_model.palette import PALETTE, color_of, nearest_index
from live_model.warp import Refusal
from live_model.world import world


class Scene(LiveObject):
    """A row of the Session View."""

    @live_property
    def name(self, scene):
        """The name as Live shows it."""
        return scene.name

    @name.writes(str)
    def name(self, scene, value):
        scene.name = value

    @live_property
    def color_index(self, scene):
        """0..69, or None."""
        return scene.color_index

    @color_index.writes(int)
    def color_index(self, scene, value):
        if not 0 <= value < len(PALETTE):
            raise Refusal("VALUE_OUT_OF_RANGE", "Invalid color index")
        scene.color_index = value

    @live_property
    def color(self, scene):
        """0x00RRGGBB."""
        return color_of(scene.color_index)

    @color.writes(int)
    def color(self, scene, value):
        scene.color_index = nearest_index(value)

    @live_property
    def tempo(self, scene):
        """BPM, -1 if the scene has none."""
        return -1.0 if scene.tempo is None else float32(scene.tempo)

    @tempo.writes(float)
    def tempo(self, scene, value):
        if not 20 <= value <= 999:
            raise Refusal("VALUE_OUT_OF_RANGE", "Tempo out of range")
        scene.tempo = value

    @live_property
    def tempo_enabled(self, scene):
        """True if the scene has a tempo."""
        return scene.tempo is not None

    @tempo_enabled.writes(bool)
    def tempo_enabled(self, scene, value):
        if not value:
            scene.tempo = None
        elif scene.tempo is None:
            scene.tempo = world.set.tempo

    @live_property
    def time_signature_enabled(self, scene):
        """True if the scene has a time signature."""
        return scene.has_time_signature

    @live_property
    def clip_slots(self, scene):
        """One for each track."""
        from .ClipSlot import ClipSlot

        index = world.set.index_of(world.set.scenes, scene.id)
        return Vector(ClipSlot(track.slots[index]) for track in world.set.tracks)

    @live_property
    def is_empty(self, scene):
        """True if no slot has a clip."""
        index = world.set.index_of(world.set.scenes, scene.id)
        return all(track.slots[index].clip is None for track in world.set.tracks)

    @live_property
    def is_triggered(self, scene):
        """True while the scene waits to play."""
        return False

    @live_method()
    def fire(self, scene, *given):
        """Launch it."""
        forbidden("fire", "LAUNCHES", "Scene")

    @live_method()
    def fire_as_selected(self, scene, *given):
        """Launch it and select the next."""
        forbidden("fire_as_selected", "LAUNCHES", "Scene")

    @live_method()
    def get_data(self, scene, key, default):
        """Stored data, where Live has it for scenes."""
        _require_data()
        check(str, key, "Scene.get_data")
        return scene.data.get(key, default)

    @live_method(changes=True)
    def set_data(self, scene, key, value):
        """Store data."""
        _require_data()
        check(str, key, "Scene.set_data")
        scene.data[key] = value


def _require_data():
    if not world.habits.scene_data:
        raise AttributeError("'Scene' object has no attribute 'set_data'")
