"""Uploads one file, and resumes it where it was cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Dict, Optional, Protocol, Tuple

from .cancellation import Cancellation
from .errors import SoundferryError
from .relay_http import Answer, Body
from .retry import Attempts, Retry
from .sounds import SoundBytes

INTEROP_VERSION = "8"
"""Of the draft "Resumable Uploads for HTTP"; another version gets whole files only."""

RESUMABLE_BYTES = 1024**2
"""A smaller file is sent whole: to ask where to continue would take as long."""


class UploadCalls(Protocol):
    """The calls of one upload; the token is theirs."""

    def ask(self, path: str, headers: Dict[str, str], cancellation: Cancellation) -> Answer:
        """``HEAD``."""

    def send_bytes(
        self,
        method: str,
        path: str,
        headers: Dict[str, str],
        body: Body,
        cancellation: Cancellation,
    ) -> Answer:
        """``PUT`` or ``PATCH``."""


@dataclass(frozen=True)
class Offset:
    """How much of a file the relay has."""

    bytes: int
    is_complete: bool


class Upload:
    """One file's upload."""

    def __init__(
        self, calls: UploadCalls, path: str, sound: SoundBytes, on_sent: Callable[[int], None]
    ) -> None:
        self._calls = calls
        self._path = path
        self._sound = sound
        self._on_sent = on_sent
        self._is_resumable = sound.size >= RESUMABLE_BYTES

    def run(self, retry: Retry, cancellation: Cancellation) -> None:
        """Sends the file; what the relay has of it is not sent again.

        :raises SoundferryError: the last failure
        """
        furthest = 0

        def attempt(attempts: Attempts) -> None:
            nonlocal furthest
            offset = self.ask_offset(cancellation) if self._is_resumable else None
            if offset is None:
                self.put(cancellation)
                return
            if offset.bytes > furthest:
                furthest = offset.bytes
                attempts.progressed()
            self._on_sent(offset.bytes)
            if not offset.is_complete:
                self.append(offset.bytes, cancellation)

        retry.run(attempt)

    def ask_offset(self, cancellation: Cancellation) -> Optional[Offset]:
        """How much the relay has; None if it can't resume uploads."""
        headers = {"Upload-Draft-Interop-Version": INTEROP_VERSION}
        try:
            answer = self._calls.ask(self._path, headers, cancellation)
        except SoundferryError as error:
            # The answer to HEAD has no sentence. That to PUT has one, if it fails too.
            if error.status in (400, 404, 405, 409, 501):
                return None
            raise
        offset = _read_offset(answer, self._sound.size)
        if offset is None:
            self._is_resumable = False
        return offset

    def append(self, offset: int, cancellation: Cancellation) -> Answer:
        """Sends what is missing from ``offset`` on, and ends the upload with it."""
        headers = {
            "Content-Type": "application/partial-upload",
            "Upload-Draft-Interop-Version": INTEROP_VERSION,
            "Upload-Offset": str(offset),
            "Upload-Complete": "?1",
        }
        return self._send("PATCH", headers, offset, cancellation)

    def put(self, cancellation: Cancellation) -> Answer:
        """Sends the whole file."""
        return self._send("PUT", {"Content-Type": "audio/wav"}, 0, cancellation)

    def _send(
        self, method: str, headers: Dict[str, str], offset: int, cancellation: Cancellation
    ) -> Answer:
        body = Body(
            self._sound.size - offset,
            lambda: self._sound.pieces(offset),
            lambda sent: self._on_sent(offset + sent),
        )
        return self._calls.send_bytes(method, self._path, headers, body, cancellation)


def _read_offset(answer: Answer, size: int) -> Optional[Offset]:
    version, offset, complete = _draft_headers(answer)
    # A server that doesn't know the draft answers HEAD in its own way.
    if version != INTEROP_VERSION or not offset.isdigit() or int(offset) > size:
        return None
    return Offset(int(offset), complete == "?1")


def _draft_headers(answer: Answer) -> Tuple[str, str, str]:
    names = ("upload-draft-interop-version", "upload-offset", "upload-complete")
    version, offset, complete = (answer.headers.get(name, "") for name in names)
    return (version, offset, complete)
