"""The person's selection in Live, which creating things may change."""
from contextlib import suppress

from .live_set import pointer


class Selection(object):
    def __init__(self, song):
        self._song, self._made, view = song, set(), song().view
        self._theirs = {kind: getattr(view, kind, None) for kind in ("selected_track", "selected_scene", "detail_clip")}

    def restore(self, *made):
        """Selects again what was selected before Live chose one of our things."""
        self._made.update(map(pointer, made))
        is_moved = False
        for kind, theirs in list(self._theirs.items()):
            with suppress(Exception):  # What was selected may be gone.
                now = getattr(self._song().view, kind)
                if pointer(now) == pointer(theirs):
                    continue
                # The empty slot of a new track has no clip to show.
                if pointer(now) in self._made or (is_moved and now is None):
                    is_moved = True
                    setattr(self._song().view, kind, theirs)
                else:
                    self._theirs[kind] = now  # The person chose another one meanwhile.
