"""Uploads one file, and resumes it where it was cut."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Callable, Dict, Optional

from .cancellation import Cancellation
from .errors import SoundferryError
from .relay_calls import RelayCalls
from .relay_http import Answer, Body
from .retry import Attempts, Retry
from .sounds import SoundBytes

INTEROP_VERSION = "8"
"""Version of the draft "Resumable Uploads for HTTP". A relay with another version gets whole files."""

RESUMABLE_BYTES = 1024**2
"""Size from which uploads resume. A smaller file is sent whole, because asking takes longer than it can save."""

# Statuses of a relay that doesn't know the method or the version, or the package: then `PUT` gets the reason.
_NOT_RESUMABLE = (400, 404, 405, 415, 501)


@dataclass(frozen=True)
class Offset:
    """The part of a file that the relay has."""

    bytes: int
    is_complete: bool


class Upload:
    """One file's upload."""

    def __init__(
        self, calls: RelayCalls, path: str, sound: SoundBytes, on_sent: Callable[[int], None]
    ) -> None:
        self._calls = calls
        self._path = path
        self._sound = sound
        self._on_sent = on_sent
        self._is_resumable = sound.size >= RESUMABLE_BYTES
        self._arrived_bytes = 0

    def run(self, retry: Retry, cancellation: Cancellation) -> None:
        """Sends the file, without the bytes that the relay has already.

        :raises SoundferryError: the last failure
        """

        def attempt(attempts: Attempts) -> None:
            if self._is_resumable:
                try:
                    if self._resume(attempts, cancellation):
                        return
                except SoundferryError as error:
                    if error.status not in _NOT_RESUMABLE:
                        raise
                self._is_resumable = False
            self.put(cancellation)

        retry.run(attempt)

    def _resume(self, attempts: Attempts, cancellation: Cancellation) -> bool:
        """Sends what is missing; False if the relay can't resume this upload."""
        state = self._ask(cancellation)
        if state is None:
            return False
        if state.bytes > self._arrived_bytes:
            attempts.progressed()
        self._arrived_bytes = state.bytes
        self._on_sent(state.bytes)
        if not state.is_complete:
            self._append(state.bytes, cancellation)
        return True

    def _ask(self, cancellation: Cancellation) -> Optional[Offset]:
        """Asks how much has arrived; None if the relay can't resume uploads."""
        headers = {"Upload-Draft-Interop-Version": INTEROP_VERSION}
        try:
            answer = self._calls.ask(self._path, headers, cancellation)
        except SoundferryError as error:
            # A refused HEAD gives no reason; the append that follows gets it, or the offset.
            if error.status != 409:
                raise
            return Offset(self._arrived_bytes, False)
        return _read_offset(answer, self._sound.size)

    def _append(self, offset: int, cancellation: Cancellation) -> Answer:
        """Sends the rest from ``offset`` on, which completes the upload."""
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
    offset = answer.headers.get("upload-offset", "")
    complete = answer.headers.get("upload-complete")
    # A server that doesn't know the draft answers HEAD in its own way.
    if re.fullmatch("[0-9]{1,16}", offset) is None or complete not in ("?0", "?1"):
        return None
    return None if int(offset) > size else Offset(int(offset), complete == "?1")
