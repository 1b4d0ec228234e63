"""The scene of a placement: a new one, or an empty one where the edition takes no more."""
from contextlib import suppress

from .live_set import index_of, pointer, read_mark
from .sound import put


class Scene(object):
    """A scene in the Set. `taken` has the settings of one that was there before."""

    def __init__(self, song, plan):
        self._song, self.plan, self.taken, self.scene, self._row = song, plan, None, None, -1

    def row(self):
        """Returns the scene's present row, or -1."""
        self._row = -1 if self.scene is None else index_of(self._song().scenes, self.scene, self._row)
        return self._row

    def choose_row(self):
        """Returns the row for a new scene; -1 is the end."""
        scenes, row = self._song().scenes, self.plan["index"]
        row = index_of(scenes, self._song().view.selected_scene) + 1 if row is None else row
        return row if 0 < row < len(scenes) else -1

    def take(self):
        """Takes an empty, untouched scene, the selected one first. Returns whether there is one."""
        song = self._song()
        # A run that was cut off may have left the name in a scene that it took.
        names = [note["scene"] for note in read_mark(song).values() if note.get("taken")]
        tracks, selected = song.tracks, pointer(song.view.selected_scene)
        rows = sorted(enumerate(song.scenes), key=lambda pair: pointer(pair[1]) != selected)
        for row, scene in rows:
            is_new = scene.name in [""] + names and scene.color_index is None
            has_own = any(getattr(scene, own + "_enabled", False) for own in ("tempo", "time_signature"))
            if is_new and not has_own and not any(track.clip_slots[row].has_clip for track in tracks):
                self.scene, self._row = scene, row
                self.taken = {"name": "", "color": None, "tempo": None}
                return True
        return False

    def set_up(self):
        """Sets the scene up. Live can't take a color away again, so a taken scene gets none."""
        color = None if self.taken else self.plan["color"]
        for setting, value in (("name", self.plan["name"]), ("color_index", color), ("tempo", self.plan["tempo"])):
            if value is not None:
                with suppress(Exception):  # The answer contains the scene's actual settings.
                    put(self.scene, setting, value)
            yield

    def remove(self):
        """Deletes the scene, or gives back what was taken. Returns the name of one that stays, or None."""
        scene = self.scene
        try:
            row, self.scene = self.row(), None
            if row < 0:
                return None
            if not self.taken:
                self._song().delete_scene(row)
            elif scene.name == self.plan["name"]:
                put(scene, "name", self.taken["name"])
            if self.taken and self.plan["tempo"] is not None and scene.tempo_enabled:
                scene.tempo_enabled = False
        except Exception:
            return self.plan["name"]

    def told(self):
        with suppress(Exception):  # The person may have removed it.
            return {"name": self.scene.name, "color": self.scene.color_index, "taken": bool(self.taken)}
