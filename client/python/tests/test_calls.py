"""Calls whose answers are strange, and uploads that break."""

from __future__ import annotations

import threading
import unittest
from http.server import BaseHTTPRequestHandler
from typing import List

from soundferry import Cancellation, Cancelled, Client, MemoryTokens, Pace, SoundferryError
from soundferry.relay_calls import RelayCalls
from soundferry.relay_http import RelayHttp
from soundferry.retry import Retry
from soundferry.sounds import SoundBytes
from soundferry.upload import Upload

from .stand_in import StandIn, give

INSTANT = Pace(sleep=lambda seconds, cancellation: None, random=lambda: 0.0)
SIZE = 3 * 1024**2
LONG = SoundBytes.of(bytes(SIZE), "Sound 1")


def sentence_of(url: str) -> str:
    """Returns what the client reports about a server."""
    try:
        return Client(url, tokens=MemoryTokens("sfa_1")).me().device_name
    except SoundferryError as error:
        return str(error)


def upload(url: str, cancellation: Cancellation) -> List[int]:
    """Uploads three MiB and returns the progress."""
    progress: List[int] = []
    calls = RelayCalls(RelayHttp(url), MemoryTokens("sfa_1"))
    one = Upload(calls, "/packages/p/files/f", LONG, progress.append)
    one.run(Retry(INSTANT, cancellation), cancellation)
    return progress


class CallsTest(unittest.TestCase):
    def test_a_strange_answer_has_a_sentence(self) -> None:
        answers = {
            "is not a relay. Check the address.": lambda it: give(it, 200, "<html>"),
            "The relay has a problem (502). Try again later.": lambda it: give(it, 502, "oops"),
            "redirects to another address": lambda it: give(it, 302, Location="http://a/"),
            "was lost. Check the network.": lambda it: it.wfile.write(b"nonsense\r\n\r\n"),
        }
        for sentence, answer in answers.items():
            with StandIn(answer) as server:
                self.assertIn(sentence, sentence_of(server.url))
                self.assertEqual(server.seen, [("GET", "/app/me")])
        self.assertIn("Nothing answers at", sentence_of(server.url))

    def test_an_answer_that_is_cut_is_no_answer(self) -> None:
        def cut(handler: BaseHTTPRequestHandler) -> None:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{}")

        with StandIn(cut) as server:
            self.assertIn("was lost. Check the network.", sentence_of(server.url))

    def test_a_path_can_not_smuggle_a_header(self) -> None:
        with StandIn(lambda it: give(it, 200)) as server:
            calls = RelayCalls(RelayHttp(server.url), MemoryTokens("sfa_1\r\nX: y"))
            with self.assertRaises(SoundferryError):
                calls.me()
            client = Client(server.url, tokens=MemoryTokens("sfa_1"))
            with self.assertRaises(SoundferryError):
                client.upload("/a b\r\nX: y", b"RIFF")
            self.assertEqual(server.seen, [])

    def test_a_relay_that_knows_no_draft_gets_the_whole_file(self) -> None:
        def answer(handler: BaseHTTPRequestHandler) -> None:
            if handler.command == "HEAD":
                give(handler, 405)
                return
            handler.rfile.read(int(handler.headers["Content-Length"]))
            give(handler, 200, "{}")

        with StandIn(answer) as server:
            self.assertEqual(upload(server.url, Cancellation())[-1], SIZE)
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
            piece = len(handler.rfile.read(min(SIZE // 12, SIZE - stored)))
            stored += piece
            sent.append(piece)

        with StandIn(answer) as server:
            progress = upload(server.url, Cancellation())
        self.assertEqual(sum(sent), SIZE)
        self.assertEqual(len(sent), 12)
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
                upload(server.url, stop)
            ended.set()
