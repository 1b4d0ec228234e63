"""Uploads one file, and resumes it where it was cut."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Callable, Dict, Optional
from urllib.parse import unquote

from .answers import Uploaded
from .cancellation import Cancellation
from .errors import SoundferryError, error_of_blocked
from .judge import OFFSET, STORED, Answer
from .relay_calls import RelayCalls
from .relay_http import Body, Request
from .retry import Attempts, Retry
from .sounds import SoundBytes, hash_sound

INTEROP_VERSION = "8"
"""Version of the draft "Resumable Uploads for HTTP". A relay with another version gets whole files."""

RESUMABLE_BYTES = 1024**2
"""Size from which uploads resume. A smaller file is sent whole, because asking takes longer than it can save."""

SMALLEST_PART_BYTES = 1024**2
"""Size down to which parts are halved if something on the way finds them too large."""

# Statuses of a relay that doesn't know the method or the version, or the package: then `PUT` gets the reason.
_NOT_RESUMABLE = (400, 404, 405, 415, 501)
_TOO_LARGE = 413
# Statuses of something on the way that refuses a method or a body each time.
_BLOCKED = (403, 405, _TOO_LARGE, 501)


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
        self._body_bytes = 0
        self._cuts = 0

    def run(self, retry: Retry, cancellation: Cancellation) -> None:
        """Sends the file, without the bytes that the relay has already.

        :raises SoundferryError: the last failure
        """

        def attempt(attempts: Attempts) -> None:
            while True:
                self._body_bytes = 0
                try:
                    if self._is_resumable and self._resume(attempts, cancellation):
                        return
                    self._is_resumable = False
                    self.put(cancellation)
                    return
                except SoundferryError as error:
                    if not self._adapts(error, cancellation):
                        raise

        retry.run(attempt)

    def put(self, cancellation: Cancellation) -> Answer:
        """Sends the whole file."""
        headers = {"Content-Type": "audio/wav"}
        return self._send("PUT", headers, 0, self._sound.size, cancellation)

    def read(self, answer: Answer) -> Uploaded:
        """Reads the answer to a complete upload. The public specification doesn't fix its members."""
        got = answer.body
        if {"file", "bytes", "sha256"} <= got.keys():
            return Uploaded(got["file"], got["bytes"], got["sha256"])
        digest = hash_sound(self._sound, lambda _: None, Cancellation())
        return Uploaded(unquote(self._path.rsplit("/", 1)[-1]), self._sound.size, digest)

    def _resume(self, attempts: Attempts, cancellation: Cancellation) -> bool:
        """Sends what is missing; False if the relay can't resume this upload."""
        state = self._ask(cancellation)
        while state is not None:
            if state.bytes > self._arrived_bytes:
                attempts.progressed()
                self._cuts = 0
            self._arrived_bytes = state.bytes
            self._on_sent(state.bytes)
            if state.is_complete:
                return True
            state = self._append(state.bytes, cancellation)
        return False

    def _ask(self, cancellation: Cancellation) -> Optional[Offset]:
        """Asks how much has arrived; None if the relay can't resume uploads."""
        headers = {"Upload-Draft-Interop-Version": INTEROP_VERSION}
        request = Request("HEAD", self._path, OFFSET, None, headers, cancellation=cancellation)
        try:
            answer = self._calls.call(request)
        except SoundferryError as error:
            # A refused HEAD gives no reason; the append that follows gets it, or the offset.
            if error.status != 409:
                raise
            return Offset(self._arrived_bytes, False)
        return _read_offset(answer, self._sound.size) if answer.is_proven else None

    def _append(self, offset: int, cancellation: Cancellation) -> Offset:
        """Sends the next part, which is the rest unless something on the way found parts of its size too large."""
        rest = self._sound.size - offset
        part = int(min(rest, self._calls.history.part_bytes))
        is_last = part == rest
        headers = {
            "Content-Type": "application/partial-upload",
            "Upload-Draft-Interop-Version": INTEROP_VERSION,
            "Upload-Offset": str(offset),
            "Upload-Complete": "?1" if is_last else "?0",
        }
        self._send("PATCH", headers, offset, part, cancellation)
        return Offset(offset + part, is_last)

    def _adapts(self, error: SoundferryError, cancellation: Cancellation) -> bool:
        """Chooses shorter parts, or the whole file; True if the next attempt may follow at once.

        :raises SoundferryError: ``UPLOAD_BLOCKED`` if nothing of this passes while other calls do
        """
        status = error.foreign_status
        if self._is_resumable and error.status in _NOT_RESUMABLE:
            self._is_resumable = False
            return True
        if error.code in ("NO_ANSWER", "TIMEOUT") and self._body_bytes > 0:
            self._cuts += 1
            if self._cuts % 2 == 0:
                self._halve()
        if status == _TOO_LARGE and self._halve():
            return True
        if status not in _BLOCKED:
            return False
        # A sign-in page refuses other calls, too.
        self._calls.me(cancellation)
        if status == _TOO_LARGE or not self._is_resumable:
            raise error_of_blocked("PATCH" if self._is_resumable else "PUT", status) from error
        self._is_resumable = False
        return True

    def _halve(self) -> bool:
        """Halves the parts of all files; False if that can't help."""
        if not self._is_resumable or self._body_bytes <= SMALLEST_PART_BYTES:
            return False
        half = max(SMALLEST_PART_BYTES, self._body_bytes // 2)
        history = self._calls.history
        history.part_bytes = min(history.part_bytes, half)
        return True

    def _send(
        self,
        method: str,
        headers: Dict[str, str],
        offset: int,
        size: int,
        cancellation: Cancellation,
    ) -> Answer:
        self._body_bytes = size
        body = Body(
            size,
            lambda: self._sound.pieces(offset, size),
            lambda sent: self._on_sent(offset + sent),
        )
        request = Request(method, self._path, STORED, body, headers, cancellation=cancellation)
        return self._calls.call(request)


def _read_offset(answer: Answer, size: int) -> Optional[Offset]:
    offset = answer.headers.get("upload-offset", "")
    complete = answer.headers.get("upload-complete")
    # A server that doesn't know the draft answers HEAD in its own way.
    if re.fullmatch("[0-9]{1,16}", offset) is None or complete not in ("?0", "?1"):
        return None
    return None if int(offset) > size else Offset(int(offset), complete == "?1")
