"""A server that answers as a test says."""

from __future__ import annotations

import struct
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Callable, List, Tuple

from soundferry import Pace

Seen = Tuple[str, str]


def wav(audio_bytes: int = 36) -> bytes:
    """Builds a WAV of mono audio with 16 bits, and 44 bytes of header."""
    form = struct.pack("<HHIIHH", 1, 1, 44_100, 88_200, 2, 16)
    head = struct.pack("<4sI4s4sI", b"RIFF", 36 + audio_bytes, b"WAVE", b"fmt ", 16)
    return head + form + struct.pack("<4sI", b"data", audio_bytes) + bytes(audio_bytes)


class HurriedClock:
    """A pace whose waits cost no time and move its clock."""

    def __init__(self) -> None:
        self.waits: List[float] = []

    def pace(self) -> Pace:
        """Returns the pace."""
        return Pace(
            sleep=lambda seconds, _: self.waits.append(seconds),
            random=lambda: 0.0,
            now=lambda: sum(self.waits),
        )


class QuietServer(ThreadingHTTPServer):
    """A server that reports no cut connections, because tests cut them on purpose."""

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignores the error."""


class StandIn:
    """Calls ``answer`` with each request's handler; records methods and paths."""

    def __init__(self, answer: Callable[[BaseHTTPRequestHandler], None]) -> None:
        seen: List[Seen] = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # One packet has headers and body.

            def do(self) -> None:
                seen.append((self.command, self.path))
                self.close_connection = True
                answer(self)

            do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do

            def log_message(self, *_: object) -> None:
                pass

        self.seen = seen
        self._server = QuietServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        )

    def __enter__(self) -> StandIn:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        """The server's address."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"


def give(
    handler: BaseHTTPRequestHandler, status: int, text: str = "", **headers: str
) -> None:
    """Sends an answer with the relay's mark; header names have ``_`` for ``-``."""
    give_foreign(handler, status, text, Soundferry_Relay="1", **headers)


def give_foreign(
    handler: BaseHTTPRequestHandler, status: int, text: str = "", **headers: str
) -> None:
    """Sends an answer without the relay's mark; header names have ``_`` for ``-``."""
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("Content-Length", str(len(text)))
    handler.end_headers()
    if handler.command != "HEAD":
        handler.wfile.write(text.encode())
