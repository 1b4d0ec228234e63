"""Reads an answer by HTTP, within bounds of bytes and of time."""

from __future__ import annotations

import http.client
import io
import json
import socket
import time
from typing import Any, Dict, Optional

from .judge import Answer

MAX_ANSWER_BYTES = 1024**2
"""The most that is read of an answer, headers included. A relay's longest have less than a tenth of that."""

_READ_BYTES = 64 * 1024


class Deadline:
    """The end of a call's time."""

    def __init__(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds

    def left(self) -> float:
        """Returns the seconds until then.

        :raises TimeoutError: afterwards
        """
        left = self._at - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


class _AnswerTooLong(http.client.HTTPException):
    """An answer has more than ``MAX_ANSWER_BYTES``."""


class _BoundedReader(io.RawIOBase):
    """Reads from a socket until the deadline, however slowly the bytes come, and no more than an answer may have."""

    def __init__(self, connected: socket.socket, deadline: Deadline) -> None:
        self._socket = connected
        self._deadline = deadline
        self._left_bytes = MAX_ANSWER_BYTES

    def readable(self) -> bool:
        """True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Reads what is there.

        :raises TimeoutError: after the deadline
        """
        if self._left_bytes == 0:
            raise _AnswerTooLong
        self._socket.settimeout(self._deadline.left())
        read = self._socket.recv_into(memoryview(buffer)[: self._left_bytes])
        self._left_bytes -= read
        return read


def read_answer(connected: socket.socket, method: str, deadline: Deadline) -> Answer:
    """Reads an answer. A body that is too long counts as something else than a JSON object (rule W6).

    :raises OSError: if the connection is lost
    :raises TimeoutError: after the deadline
    :raises http.client.HTTPException: if the answer isn't HTTP, or ends before its end
    """
    response = http.client.HTTPResponse(connected, method=method)
    response.fp.close()
    response.fp = io.BufferedReader(_BoundedReader(connected, deadline))
    response.begin()
    text: Optional[bytes] = _read_body(response)
    headers = {name.lower(): value for name, value in response.getheaders()}
    value = None if text is None else _json_object(text)
    return Answer(response.status, headers, value, is_empty=text == b"")


def _read_body(response: http.client.HTTPResponse) -> Optional[bytes]:
    """Reads the body; None if it is too long."""
    pieces = []
    try:
        while not response.isclosed():
            piece = response.read(_READ_BYTES)
            if not piece:
                break
            pieces.append(piece)
    except _AnswerTooLong:
        return None
    except ValueError as cause:
        raise http.client.HTTPException("a chunk has no size") from cause
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)
    return b"".join(pieces)


def _json_object(text: bytes) -> Optional[Dict[str, Any]]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None

