"""The bytes of a sound, from a file or from memory."""

from __future__ import annotations

import errno
import hashlib
import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Callable, Iterator, Optional, Tuple, Union

from .cancellation import Cancellation
from .errors import SoundferryError, unreadable_sound

SoundSource = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview]
"""The path or the bytes of a WAV."""

_PIECE_BYTES = 256 * 1024


@dataclass(frozen=True)
class SoundBytes:
    """A sound's bytes. A file is read piece by piece and never held whole."""

    size: int
    name: Optional[str]
    """The file's name; None for bytes in memory."""
    _open: Callable[[], BinaryIO]

    @staticmethod
    def of(source: SoundSource, label: str) -> SoundBytes:
        """Opens a source.

        :param label: names the sound in the sentence of an error
        :raises SoundferryError: ``SOUND_UNREADABLE``
        """
        if isinstance(source, (bytes, bytearray, memoryview)):
            held = bytes(source)
            return SoundBytes(len(held), None, lambda: io.BytesIO(held))
        if not isinstance(source, (str, os.PathLike)):
            sentence = f"{label} has no bytes: its source must be a path or bytes."
            raise SoundferryError(sentence, code="SOUND_UNREADABLE")
        path = Path(source)
        try:
            if not path.is_file():
                raise FileNotFoundError(path)
            before = _identity(os.stat(path))
            with path.open("rb") as file:
                file.read(1)
        except (OSError, ValueError) as cause:
            why = "can't be read."
            if isinstance(cause, OSError) and cause.errno == errno.EDEADLK:
                why = "is still in iCloud: download it in the Finder, then try again."
            raise SoundferryError(f"{path} {why}", code="SOUND_UNREADABLE") from cause
        return SoundBytes(before[0], _readable(path.name), lambda: _reopen(path, before))

    def read(self, offset: int, size: int) -> bytes:
        """Reads ``size`` bytes from ``offset`` on; fails as ``pieces`` does."""
        return b"".join(self.pieces(offset, size))

    def pieces(self, offset: int = 0, size: Optional[int] = None) -> Iterator[bytes]:
        """Yields ``size`` bytes from ``offset`` on; all the rest without a ``size``.

        :raises SoundferryError: ``SOUND_UNREADABLE`` if the file was changed or removed meanwhile
        """
        left = self.size - offset if size is None else size
        try:
            with self._open() as file:
                file.seek(offset)
                while left > 0:
                    piece = file.read(min(_PIECE_BYTES, left))
                    if not piece:
                        raise EOFError
                    left -= len(piece)
                    yield piece
        except (OSError, EOFError) as cause:
            raise unreadable_sound(self.name or "A sound") from cause


def hash_sound(
    sound: SoundBytes, on_hashed: Callable[[int], None], cancellation: Cancellation
) -> str:
    """Returns the SHA-256 of a sound as lowercase hex. ``on_hashed`` gets the number of bytes hashed so far."""
    digest = hashlib.sha256()
    done = 0
    for piece in sound.pieces():
        cancellation.raise_if_cancelled()
        digest.update(piece)
        done += len(piece)
        on_hashed(done)
    return digest.hexdigest()


def _readable(name: str) -> str:
    """Replaces the bytes of a file's name that are no UTF-8."""
    return os.fsencode(name).decode("utf-8", "replace") if os.name == "posix" else name


def _identity(stat: os.stat_result) -> Tuple[int, int]:
    return (stat.st_size, stat.st_mtime_ns)


def _reopen(path: Path, before: Tuple[int, int]) -> BinaryIO:
    file = path.open("rb")
    if _identity(os.fstat(file.fileno())) != before:
        file.close()
        raise OSError("changed")
    return file
