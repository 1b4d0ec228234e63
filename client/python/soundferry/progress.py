"""The progress of a ``send``."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Callable, Dict, Iterable, Optional

from .draft import DescribedSound


@dataclass(frozen=True)
class Progress:
    """Progress of a package: first every sound is hashed, then every sound is uploaded."""

    phase: str
    """``hashing`` or ``uploading``."""
    id: str
    """Id of the sound that made progress: the draft's, or its position."""
    name: str
    """That sound's name: the draft's, or the file's without extension."""
    file: str
    """Its name on the relay."""
    file_bytes: int
    """Number of that sound's bytes done in this phase; may fall after a retry."""
    done_bytes: int
    """Number of bytes of all sounds done in this phase."""
    total_bytes: int
    """Number of bytes of all sounds."""


OnProgress = Callable[[Progress], None]
"""A listener, called from the threads that upload, one call at a time."""


class ProgressCounter:
    """Sums the progress of all sounds."""

    def __init__(
        self, phase: str, sounds: Iterable[DescribedSound], on_progress: Optional[OnProgress]
    ) -> None:
        self._phase = phase
        self._total = sum(each.content.size for each in sounds)
        self._on_progress = on_progress
        self._done: Dict[str, int] = {}
        self._lock = threading.Lock()

    def count(self, sound: DescribedSound, file_bytes: int) -> None:
        """Records the number of bytes of a sound that are done."""
        if self._on_progress is None:
            return
        with self._lock:
            self._done[sound.file] = file_bytes
            done = sum(self._done.values())
            self._on_progress(
                Progress(
                    self._phase, sound.id, sound.name, sound.file, file_bytes, done, self._total
                )
            )
