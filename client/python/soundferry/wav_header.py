"""Reads a WAV's header as the relay does, and never its audio (rule U4)."""

from __future__ import annotations

import struct
from typing import Callable, Optional

from .wav_format import LONGEST_FORMAT_BYTES, SHORTEST_FORMAT_BYTES, judge_data, judge_format
from .wav_refusals import WavRefused

ReadAt = Callable[[int, int], bytes]
"""Reads so many bytes at an offset, always inside the file."""

_FIRST_WINDOW_BYTES = 4096
_LARGEST_WINDOW_BYTES = 65_536
_RIFF_HEADER_BYTES = 12
_CHUNK_HEADER_BYTES = 8


class _Window:
    """The part of the file that was read last."""

    def __init__(self, read_at: ReadAt, size: int) -> None:
        self._read_at = read_at
        self._size = size
        self._offset = 0
        self._bytes = b""
        self._next_bytes = _FIRST_WINDOW_BYTES

    def read(self, offset: int, count: int, if_missing: str) -> bytes:
        """Reads bytes.

        :raises WavRefused: with the code ``if_missing``, if the file ends before
        """
        if offset + count > self._size:
            raise WavRefused(if_missing)
        if not self._offset <= offset <= offset + count <= self._offset + len(self._bytes):
            self._bytes = self._read_at(offset, min(self._next_bytes, self._size - offset))
            self._offset = offset
            self._next_bytes = min(2 * self._next_bytes, _LARGEST_WINDOW_BYTES)
        at = offset - self._offset
        return self._bytes[at : at + count]


def check_wav(read_at: ReadAt, file_bytes: int) -> None:
    """Checks that the relay accepts a WAV.

    :raises WavRefused: otherwise
    """
    window = _Window(read_at, file_bytes)
    riff_bytes = _read_riff_header(window)
    offset = _RIFF_HEADER_BYTES
    frame_bytes: Optional[int] = None
    has_data = False
    while True:
        if_missing = "WAV_NO_FORMAT" if frame_bytes is None else "WAV_NO_DATA"
        name, size = struct.unpack("<4sI", window.read(offset, _CHUNK_HEADER_BYTES, if_missing))
        body = offset + _CHUNK_HEADER_BYTES
        offset = body + size + size % 2
        if name == b"fmt " and frame_bytes is None:
            if has_data:
                raise WavRefused("WAV_FORMAT_AFTER_DATA")
            if size < SHORTEST_FORMAT_BYTES:
                raise WavRefused("WAV_FORMAT_BROKEN")
            count = min(size, LONGEST_FORMAT_BYTES)
            frame_bytes = judge_format(window.read(body, count, "WAV_FORMAT_BROKEN"))
        elif name == b"data" and frame_bytes is not None:
            if size == 0:
                _refuse_empty_data(window, body, file_bytes)
            return judge_data(frame_bytes, body, size, riff_bytes, file_bytes)
        has_data = has_data or name == b"data"


def _read_riff_header(window: _Window) -> int:
    """Returns the size in the RIFF header."""
    start = 0
    while True:
        head = window.read(start, _RIFF_HEADER_BYTES, "WAV_NOT_RIFF")
        tag = _tag_bytes(head)
        if tag < _RIFF_HEADER_BYTES:
            break
        start += tag
    container, form = head[:4], head[8:]
    if container == b"vers" and form == b"http":
        # `version https://git-lfs…`
        raise WavRefused("WAV_LFS_POINTER" if start == 0 else "WAV_TAG_IN_FRONT")
    if form != b"WAVE" or container not in (b"RIFF", b"RIFX", b"RF64", b"BW64"):
        raise WavRefused("WAV_NOT_RIFF")
    if start > 0:
        raise WavRefused("WAV_TAG_IN_FRONT")
    if container == b"RIFX":
        raise WavRefused("WAV_RIFX")
    if container != b"RIFF":
        raise WavRefused("WAV_RF64", container=container.decode())
    return int.from_bytes(head[4:8], "little")


def _tag_bytes(head: bytes) -> int:
    """Returns the size of an ID3 tag with its header and footer; 0 if there is none."""
    if head[:3] != b"ID3":
        return 0
    content = 0
    for byte in head[6:10]:
        content = content * 128 + (byte & 127)
    return content + (20 if head[5] & 0x10 else 10)


def _refuse_empty_data(window: _Window, offset: int, file_bytes: int) -> None:
    """Decides what an empty ``data`` chunk means: it is truly empty only if another chunk follows."""
    if_missing = "WAV_STREAMED" if offset < file_bytes else "WAV_NO_DATA"
    name, size = struct.unpack("<4sI", window.read(offset, _CHUNK_HEADER_BYTES, if_missing))
    is_chunk = all(0x20 <= byte <= 0x7E for byte in name)
    fits = offset + _CHUNK_HEADER_BYTES + size <= file_bytes
    raise WavRefused("WAV_NO_DATA" if is_chunk and fits else "WAV_STREAMED")
