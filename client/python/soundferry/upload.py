"""Uploads one file, and resumes it where it was cut."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Callable, Dict, Mapping, Optional
from urllib.parse import unquote

from .answers import Uploaded
from .cancellation import Cancellation
from .errors import REFUSED_METHOD, SoundferryError
from .judge import UNFIXED, Answer, Expected
from .relay_calls import RelayCalls
from .relay_http import Body
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
        self._sent_bytes = 0
        self._cut_at: Optional[int] = None

    def run(self, retry: Retry, cancellation: Cancellation) -> None:
        """Sends the file, without the bytes that the relay has already.

        :raises SoundferryError: the last failure
        """

        def attempt(attempts: Attempts) -> None:
            if self._is_resumable:
                try:
                    if self._resume(attempts, cancellation):
                        return
                    self._is_resumable = False
                except SoundferryError as error:
                    if error.status in _NOT_RESUMABLE:
                        self._is_resumable = False
                    elif error.foreign_status not in REFUSED_METHOD:
                        raise
            self.put(cancellation)

        retry.run(attempt)

    def put(self, cancellation: Cancellation) -> Answer:
        """Sends the whole file."""
        headers = {"Content-Type": "audio/wav"}
        return self._send("PUT", headers, 0, self._sound.size, self._is_uploaded, cancellation)

    def read(self, answer: Answer) -> Uploaded:
        """Reads the answer to a complete upload. The public specification doesn't fix its members."""
        got = answer.body
        if not {"file", "bytes", "sha256"} <= got.keys():
            got = self._described()
        return Uploaded(got["file"], got["bytes"], got["sha256"])

    def _resume(self, attempts: Attempts, cancellation: Cancellation) -> bool:
        """Sends what is missing; False if the relay can't resume this upload."""
        state = self._ask(cancellation)
        while state is not None:
            if state.bytes > self._arrived_bytes:
                attempts.progressed()
                self._cut_at = None
            self._arrived_bytes = state.bytes
            self._on_sent(state.bytes)
            if state.is_complete:
                return True
            state = self._append(state.bytes, cancellation)
        return False

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
        return _read_offset(answer, self._sound.size) if answer.is_proven else None

    def _append(self, offset: int, cancellation: Cancellation) -> Optional[Offset]:
        """Sends the next part, which is the rest if nothing on the way finds it too large."""
        rest = self._sound.size - offset
        part = int(min(rest, self._calls.history.part_bytes))
        headers = {
            "Content-Type": "application/partial-upload",
            "Upload-Draft-Interop-Version": INTEROP_VERSION,
            "Upload-Offset": str(offset),
            "Upload-Complete": "?1" if part == rest else "?0",
        }
        expected: Expected = self._is_uploaded if part == rest else UNFIXED
        try:
            self._send("PATCH", headers, offset, part, expected, cancellation)
        except SoundferryError as error:
            if not self._is_too_large(error, part):
                raise
            self._calls.history.part_bytes = max(SMALLEST_PART_BYTES, part // 2)
            return self._ask(cancellation)
        return Offset(offset + part, part == rest)

    def _is_too_large(self, error: SoundferryError, part: int) -> bool:
        """Judges whether something on the way lets no part of this size pass, and a smaller one may pass."""
        if part <= SMALLEST_PART_BYTES:
            return False
        if error.foreign_status == 413:
            return True
        if error.status is not None or error.code is not None or self._sent_bytes == 0:
            return False
        before, self._cut_at = self._cut_at, self._sent_bytes
        return before is not None and _are_about_the_same(before, self._sent_bytes)

    def _send(
        self,
        method: str,
        headers: Dict[str, str],
        offset: int,
        size: int,
        expected: Expected,
        cancellation: Cancellation,
    ) -> Answer:
        def count(sent: int) -> None:
            self._sent_bytes = sent
            self._on_sent(offset + sent)

        self._sent_bytes = 0
        body = Body(size, lambda: self._sound.pieces(offset, size), count)
        return self._calls.send_bytes(method, self._path, expected, headers, body, cancellation)

    def _is_uploaded(self, body: Mapping[str, Any]) -> bool:
        """Checks that an answer without the relay's mark names this file, or is as the public specification allows."""
        return self._calls.history.is_known or self._described().items() <= body.items()

    def _described(self) -> Dict[str, Any]:
        digest = hash_sound(self._sound, lambda _: None, Cancellation())
        file = unquote(self._path.rsplit("/", 1)[-1])
        return {"file": file, "bytes": self._sound.size, "sha256": digest}


def _are_about_the_same(one: int, other: int) -> bool:
    return min(one, other) * 4 >= max(one, other) * 3


def _read_offset(answer: Answer, size: int) -> Optional[Offset]:
    offset = answer.headers.get("upload-offset", "")
    complete = answer.headers.get("upload-complete")
    # A server that doesn't know the draft answers HEAD in its own way.
    if re.fullmatch("[0-9]{1,16}", offset) is None or complete not in ("?0", "?1"):
        return None
    return None if int(offset) > size else Offset(int(offset), complete == "?1")
