"""A JSON object in a file that only its owner may read."""

from __future__ import annotations

import json
import os
import threading
import uuid
from pathlib import Path
from typing import Any, Callable, Dict, Optional

from .errors import SoundferryError

JsonObject = Dict[str, Any]


class PrivateJsonFile:
    """Reads and replaces the object whole. Creates the file (0600) and its folder (0700) when needed."""

    def __init__(self, path: "os.PathLike[str] | str") -> None:
        self._path = Path(path)
        self._lock = threading.Lock()

    def read(self) -> JsonObject:
        """The object; empty if there is no file yet.

        :raises SoundferryError: if it is damaged
        """
        try:
            value = json.loads(self._path.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except ValueError:
            value = None
        if isinstance(value, dict):
            return value
        raise SoundferryError(f"{self._path} is damaged. Delete it and pair again.")

    def update(self, change: Callable[[JsonObject], Optional[JsonObject]]) -> None:
        """Replaces the object with what ``change`` returns; None leaves it unchanged."""
        with self._lock:
            changed = change(self.read())
            if changed is not None:
                self._replace(changed)

    def _replace(self, value: JsonObject) -> None:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        partial = self._path.with_name(f"{self._path.name}.{uuid.uuid4().hex}.part")
        # Nobody else may read it, not even for the moment before a chmod.
        opened = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(opened, "w", encoding="utf-8") as file:
                file.write(json.dumps(value, indent=2) + "\n")
                file.flush()
                os.fsync(file.fileno())
            os.replace(partial, self._path)
        except BaseException:
            partial.unlink()
            raise
