"""Uploads that break, and uploads that something on the way doesn't let pass."""

from __future__ import annotations

import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler
from typing import Callable, List, Optional

from soundferry import Cancellation, Cancelled, MemoryTokens, SoundferryError
from soundferry.relay_calls import RelayCalls
from soundferry.relay_http import RelayHttp
from soundferry.retry import Retry
from soundferry.sounds import SoundBytes
from soundferry.upload import Upload

from .stand_in import HurriedClock, StandIn, give, give_foreign

MIB = 1024**2
SIZE = 10 * MIB
LONG = SoundBytes.of(bytes(SIZE), "Sound 1")
FILE = {"file": "f", "bytes": SIZE, "sha256": "0"}
ME = {"device_name": "Studio", "app_name": "Looper", "paired_at": ""}


def calls_to(url: str) -> RelayCalls:
    """Builds the calls of a paired app."""
    return RelayCalls(RelayHttp(url), MemoryTokens("sfa_1"))


def upload(calls: RelayCalls, cancellation: Optional[Cancellation] = None) -> List[int]:
    """Uploads ten MiB and returns the progress."""
    progress: List[int] = []
    stop = cancellation or Cancellation()
    one = Upload(calls, "/packages/p/files/f", LONG, progress.append)
    one.run(Retry(HurriedClock().pace(), stop), stop)
    return progress


class ResumingRelay:
    """Stores one file that comes in parts.

    :param blocks: something on the way; True once it has answered a request, or cut its connection
    """

    def __init__(self, blocks: Callable[[BaseHTTPRequestHandler, int], bool]) -> None:
        self._blocks = blocks
        self.stored = 0
        self.parts: List[int] = []

    def __call__(self, handler: BaseHTTPRequestHandler) -> None:
        size = int(handler.headers.get("Content-Length") or 0)
        if self._blocks(handler, size):
            return
        if handler.command == "GET":
            give(handler, 200, json.dumps(ME))
            return
        if handler.command == "HEAD":
            complete = "?1" if self.stored == SIZE else "?0"
            draft = {"Upload_Draft_Interop_Version": "8", "Upload_Complete": complete}
            give(handler, 204, Upload_Offset=str(self.stored), **draft)
            return
        offset = int(handler.headers.get("Upload-Offset", 0))
        assert handler.command == "PUT" or offset == self.stored
        self.parts.append(len(handler.rfile.read(size)))
        self.stored = offset + self.parts[-1]
        is_last = handler.headers.get("Upload-Complete") != "?0"
        give(handler, 200 if is_last else 204, json.dumps(FILE) if is_last else "")


class UploadsTest(unittest.TestCase):
    def test_a_relay_that_knows_no_draft_gets_the_whole_file(self) -> None:
        def answer(handler: BaseHTTPRequestHandler) -> None:
            if handler.command == "HEAD":
                give_foreign(handler, 405)
                return
            handler.rfile.read(int(handler.headers["Content-Length"]))
            give_foreign(handler, 200, "{}")

        with StandIn(answer) as server:
            calls = calls_to(server.url)
            calls.history.is_known = True
            self.assertEqual(upload(calls)[-1], SIZE)
            self.assertEqual([method for method, _ in server.seen], ["HEAD", "PUT"])

    def test_a_cut_upload_sends_only_what_is_missing(self) -> None:
        stored = 0
        sent: List[int] = []

        def answer(handler: BaseHTTPRequestHandler) -> None:
            nonlocal stored
            if handler.command == "HEAD":
                complete = "?1" if stored == SIZE else "?0"
                draft = {"Upload_Draft_Interop_Version": "8", "Upload_Complete": complete}
                give(handler, 204, Upload_Offset=str(stored), **draft)
                return
            assert int(handler.headers["Upload-Offset"]) == stored
            # Each connection carries a part of the file and breaks.
            piece = len(handler.rfile.read(min(SIZE // 10, SIZE - stored)))
            stored += piece
            sent.append(piece)

        with StandIn(answer) as server:
            progress = upload(calls_to(server.url))
        self.assertEqual(sum(sent), SIZE)
        self.assertEqual(len(sent), 10)
        self.assertEqual(progress[-1], SIZE)

    def test_a_canceled_upload_ends_while_the_relay_does_nothing(self) -> None:
        begun, ended = threading.Event(), threading.Event()

        def stall(handler: BaseHTTPRequestHandler) -> None:
            begun.set()
            ended.wait(60)

        def cancel_once_begun() -> None:
            begun.wait(60)
            stop.cancel()

        stop = Cancellation()
        with StandIn(stall) as server:
            threading.Thread(target=cancel_once_begun).start()
            with self.assertRaises(Cancelled):
                upload(calls_to(server.url), stop)
            ended.set()

    def test_a_body_that_is_too_large_on_the_way_goes_in_parts(self) -> None:
        def refuse(handler: BaseHTTPRequestHandler, size: int) -> bool:
            if size > 3 * MIB:
                give_foreign(handler, 413, "<html>")
            return size > 3 * MIB

        relay = ResumingRelay(refuse)
        with StandIn(relay) as server:
            calls = calls_to(server.url)
            upload(calls)
            self.assertEqual((relay.stored, relay.parts), (SIZE, [SIZE // 4] * 4))
            relay.stored, relay.parts = 0, []
            server.seen.clear()
            # The size that works is kept for the next file.
            upload(calls)
        self.assertEqual([method for method, _ in server.seen], ["HEAD", *["PATCH"] * 4])

    def test_a_connection_that_is_always_cut_at_the_same_size_gets_shorter_parts(self) -> None:
        def cut(handler: BaseHTTPRequestHandler, size: int) -> bool:
            if size > 4 * MIB:
                handler.rfile.read(4 * MIB)
            return size > 4 * MIB

        relay = ResumingRelay(cut)
        with StandIn(relay) as server:
            upload(calls_to(server.url))
        self.assertEqual((relay.stored, relay.parts), (SIZE, [SIZE // 4] * 4))

    def test_a_method_that_never_passes_is_named(self) -> None:
        for status in (403, 405, 501):
            for blocked in (("PATCH",), ("PATCH", "PUT")):

                def refuse(handler: BaseHTTPRequestHandler, _: int) -> bool:
                    if handler.command in blocked:
                        give_foreign(handler, status, "<html>")
                    return handler.command in blocked

                relay = ResumingRelay(refuse)
                with self.subTest(f"{status}, {blocked}"), StandIn(relay) as server:
                    if "PUT" not in blocked:
                        upload(calls_to(server.url))
                        self.assertEqual(relay.parts, [SIZE])
                        continue
                    with self.assertRaises(SoundferryError) as raised:
                        upload(calls_to(server.url))
                    error = raised.exception
                    self.assertEqual((error.code, error.status), ("UPLOAD_BLOCKED", None))
                    self.assertIn(f"refuses uploads (PUT, {status}).", str(error))

    def test_a_limit_below_the_smallest_part_is_named(self) -> None:
        def refuse(handler: BaseHTTPRequestHandler, size: int) -> bool:
            if size > 1000:
                give_foreign(handler, 413, "<html>")
            return size > 1000

        with StandIn(ResumingRelay(refuse)) as server:
            with self.assertRaisesRegex(SoundferryError, r"refuses uploads \(PATCH, 413\)\."):
                upload(calls_to(server.url))

    def test_a_sign_in_page_blocks_no_method(self) -> None:
        left = 4

        def sign_in(handler: BaseHTTPRequestHandler, _: int) -> bool:
            nonlocal left
            if handler.command != "HEAD":
                left -= 1
            if left < 0 or handler.command == "HEAD":
                return False
            give_foreign(handler, 403, "<html>")
            return True

        relay = ResumingRelay(sign_in)
        with StandIn(relay) as server:
            upload(calls_to(server.url))
        self.assertEqual(relay.parts, [SIZE])
        self.assertNotIn("PUT", [method for method, _ in server.seen])
