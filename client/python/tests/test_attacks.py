"""Servers that answer without an end, or with anything."""

from __future__ import annotations

import itertools
import json
import socket
import socketserver
import threading
import unittest
from typing import Any, Callable, Dict, Iterable, Iterator, Optional, Tuple

from soundferry import App, Client, MemoryTokens, SoundferryError
from soundferry.judge import IS_ME
from soundferry.read_answer import MAX_ANSWER_BYTES
from soundferry.relay_http import RelayHttp, Request

from .stand_in import HurriedClock, StandIn, give

Pieces = Callable[[], Iterable[bytes]]

HEAD = b"HTTP/1.1 200 OK\r\n"
MARKED = HEAD + b"Soundferry-Relay: 1\r\n"
# What the sockets' buffers hold, which the client doesn't read.
MOST_SENT_BYTES = MAX_ANSWER_BYTES + 16 * 1024**2
SECONDS = 0.2
"""Time of a call that has to end by itself."""


def endless(piece: bytes) -> Iterator[bytes]:
    """Yields a piece again and again."""
    return itertools.repeat(piece)


class RawServer:
    """Sends these pieces to everybody, without a look at the request.

    :param pause: seconds between two pieces
    """

    def __init__(self, pieces: Pieces, pause: float = 0) -> None:
        self.sent_bytes = 0
        self.connections = 0
        self._over = threading.Event()
        raw = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                raw.connections += 1
                self.request.recv(65_536)
                try:
                    for piece in pieces():
                        if raw._over.wait(pause):
                            break
                        self.request.sendall(piece)
                        raw.sent_bytes += len(piece)
                    # A reset would take what is still on its way.
                    self.request.shutdown(socket.SHUT_WR)
                    self.request.recv(1)
                except OSError:
                    pass  # The client has gone.

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True

        self._server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self) -> str:
        """The server's address."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> RawServer:
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()


def code_of(url: str, timeout: float = 30, is_known: bool = False) -> Optional[str]:
    """Returns the code of a call's error; None if it succeeds."""
    relay = RelayHttp(url)
    relay.history.is_known = is_known
    try:
        relay.call(Request("GET", "/app/me", IS_ME, timeout=timeout))
    except SoundferryError as error:
        return error.code
    return None


class EndlessTest(unittest.TestCase):
    def test_an_answer_without_an_end_is_read_up_to_a_limit(self) -> None:
        chunk = b"10000\r\n" + bytes(65_536) + b"\r\n"
        long = b"x" * 4096
        bodies: Dict[str, Pieces] = {
            "a body": lambda: itertools.chain([HEAD + b"\r\n"], endless(long)),
            "a body of the relay": lambda: itertools.chain([MARKED + b"\r\n"], endless(long)),
            "a body with a length": lambda: itertools.chain(
                [HEAD + b"Content-Length: 999999999999999\r\n\r\n"], endless(long)
            ),
            "chunks": lambda: itertools.chain(
                [HEAD + b"Transfer-Encoding: chunked\r\n\r\n"], endless(chunk)
            ),
            "one chunk": lambda: itertools.chain(
                [HEAD + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffff\r\n"], endless(long)
            ),
            "trailers": lambda: itertools.chain(
                [HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\n"], endless(b"A: b\r\n" * 100)
            ),
        }
        for name, pieces in bodies.items():
            with self.subTest(name), RawServer(pieces) as server:
                is_marked = name.endswith("of the relay")
                self.assertEqual(
                    code_of(server.url), "FOREIGN_ANSWER" if is_marked else "NOT_A_RELAY"
                )
                self.assertLess(server.sent_bytes, MOST_SENT_BYTES)
                self.assertEqual(code_of(server.url, is_known=True), "FOREIGN_ANSWER")

    def test_headers_without_an_end_are_no_answer(self) -> None:
        heads: Dict[str, Pieces] = {
            "a status": lambda: endless(b"HTTP/1.1 " + b"2" * 4096),
            "a header": lambda: itertools.chain([HEAD + b"A: "], endless(b"x" * 4096)),
            "headers": lambda: itertools.chain([HEAD], endless(b"A: b\r\n" * 100)),
            "interim answers": lambda: endless(b"HTTP/1.1 100 Continue\r\n\r\n" * 100),
            "a chunk's size": lambda: itertools.chain(
                [HEAD + b"Transfer-Encoding: chunked\r\n\r\n"], endless(b"1" * 4096)
            ),
        }
        for name, pieces in heads.items():
            with self.subTest(name), RawServer(pieces) as server:
                self.assertEqual(code_of(server.url), "NO_ANSWER")
                self.assertLess(server.sent_bytes, MOST_SENT_BYTES)

    def test_an_answer_that_drips_has_the_time_of_the_whole_call(self) -> None:
        drips: Dict[str, bytes] = {
            "a body": HEAD + b"\r\n" + b" " * 5000,
            "a body of known length": HEAD + b"Content-Length: 5000\r\n\r\n" + b" " * 5000,
            "headers": HEAD + b"A: b\r\n" * 90 + b"\r\n{}",
            "interim answers": b"HTTP/1.1 100 Continue\r\n\r\n" * 200 + HEAD + b"\r\n{}",
            "chunks": HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\n \r\n" * 1000,
        }
        for name, text in drips.items():

            def drip(text: bytes = text) -> Iterator[bytes]:
                # The client waits for a byte no longer than a tenth of the call's time.
                return (text[at : at + 1] for at in range(len(text)))

            with self.subTest(name), RawServer(drip, SECONDS / 10) as server:
                self.assertEqual(code_of(server.url, SECONDS), "TIMEOUT")
                self.assertLess(server.sent_bytes, len(text) / 2)

    def test_silence_is_a_timeout(self) -> None:
        with RawServer(lambda: [b""], pause=60) as server:
            self.assertEqual(code_of(server.url, SECONDS), "TIMEOUT")

    def test_a_redirect_is_not_followed(self) -> None:
        text = b"HTTP/1.1 302 Found\r\nLocation: /app/me\r\nContent-Length: 0\r\n\r\n"
        with RawServer(lambda: [text]) as server:
            self.assertEqual(code_of(server.url), "REDIRECTED")
            self.assertEqual(server.connections, 1)


BODIES: Dict[str, bytes] = {
    "20,000 lists": b"[" * 20_000 + b"]" * 20_000,
    "20,000 objects": b'{"a":' * 20_000 + b"1" + b"}" * 20_000,
    "20,000 lists that don't end": b"[" * 20_000,
    "a page": b"<!doctype html><title>Sign in</title>",
    "null": b"null",
    "a list": b"[{}]",
    "a number": b"7",
    "a text": b'"x"',
    "a number of a million digits": b'{"device_name":' + b"9" * 1_000_000 + b"}",
    "no UTF-8": b'{"device_name": "\xff\xfe"}',
    "Latin-1": '{"device_name": "Größe", "app_name": "x"}'.encode("latin-1"),
    "nothing": b"",
    "null bytes": bytes(1000),
}


class BodyTest(unittest.TestCase):
    def test_a_body_that_is_no_object_is_not_the_relays(self) -> None:
        for name, body in BODIES.items():
            for head, code in ((HEAD, "NOT_A_RELAY"), (MARKED, "FOREIGN_ANSWER")):
                text = head + b"Content-Length: %d\r\n\r\n" % len(body) + body
                with self.subTest(name), RawServer(lambda: [text]) as server:
                    self.assertEqual(code_of(server.url), code)

    def test_a_refusal_that_is_no_object_has_a_code(self) -> None:
        for name, body in BODIES.items():
            head = b"HTTP/1.1 500 Oh\r\nSoundferry-Relay: 1\r\nContent-Length: %d\r\n\r\n" % len(body)
            with self.subTest(name), RawServer(lambda: [head + body]) as server:
                self.assertEqual(code_of(server.url), "RELAY_TROUBLE")

    def test_a_length_that_is_wrong(self) -> None:
        me = b'{"device_name":"Studio","app_name":"Looper"}'
        lengths: Dict[bytes, Optional[str]] = {
            b"%d" % len(me): None,
            b"-5": None,
            b"x": None,
            b"%d" % (len(me) + 1): "NO_ANSWER",
            b"%d" % (len(me) - 1): "FOREIGN_ANSWER",
            b"9" * 30: "NO_ANSWER",
        }
        for length, code in lengths.items():
            text = MARKED + b"Content-Length: " + length + b"\r\n\r\n" + me
            with self.subTest(length), RawServer(lambda: [text]) as server:
                self.assertEqual(code_of(server.url), code)

    def test_chunks_that_are_wrong(self) -> None:
        for size in (b"-5", b"-1", b"x", b"2", b"9"):
            chunks = size + b"\r\n{}\r\n"
            text = MARKED + b"Transfer-Encoding: chunked\r\n\r\n" + chunks
            with self.subTest(chunks), RawServer(lambda: [text]) as server:
                self.assertIn(code_of(server.url), ("NO_ANSWER", "FOREIGN_ANSWER"))


ANSWERS: Dict[str, Dict[str, Any]] = {
    "me": {
        "device_name": "Studio",
        "app_name": "Looper",
        "room": {"bytes_left": 1, "waiting_left": 1, "package_bytes_max": 1},
    },
    "announce": {"package_id": "p", "upload": {"a.wav": "/p"}, "warnings": [{}], "expires_in": 1},
    "status": {
        "package_id": "p",
        "title": "",
        "status": "waiting",
        "files": {"a.wav": "missing"},
        "results": {"1": {"status": "x", "notes": [""], "differences": [{"setting": "bpm"}]}},
    },
    "list": {
        "packages": [{"package_id": "p", "title": "", "status": "waiting", "created_at": ""}],
        "next": None,
    },
    "pair": {"app_token": "sfa_2", "device_name": "Studio"},
    "upload": {"file": "a.wav", "bytes": 1, "sha256": "0"},
}
ODD: Tuple[Any, ...] = ([], {}, None, -1, 1e400, True, "", "\ud800", [[]], [None], {"": None}, {"x": {"y": []}}, [7])


def with_odd_members(value: Any) -> Iterator[Any]:
    """Yields a value with each of its members, at any depth, replaced by every odd value."""
    yield from ODD
    places = value if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)
    for place in places:
        member = value[place]
        for odd in with_odd_members(member):
            copy = value.copy()
            copy[place] = odd
            yield copy


class MembersTest(unittest.TestCase):
    def test_members_of_a_wrong_kind_are_an_error_or_a_value(self) -> None:
        answer: Any = None
        calls: Dict[str, Callable[[Client], object]] = {
            "me": Client.me,
            "announce": lambda it: it.announce({}, idempotency_key="k"),
            "status": lambda it: it.status("p"),
            "list": Client.list,
            "pair": lambda it: it.pair("K7MQ2X"),
            "upload": lambda it: it.upload("/p", b"RIFF"),
        }
        with StandIn(lambda it: give(it, 200, json.dumps(answer))) as server:
            for name, call in calls.items():
                for answer in with_odd_members(ANSWERS[name]):
                    client = Client(
                        server.url,
                        tokens=MemoryTokens("sfa_1"),
                        app=App("Looper", "1"),
                        pace=HurriedClock().pace(),
                    )
                    with self.subTest(f"{name}: {json.dumps(answer)}"):
                        try:
                            repr(call(client))
                        except SoundferryError as error:
                            self.assertEqual(error.code, "FOREIGN_ANSWER")
