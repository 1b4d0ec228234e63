"""Calls whose answers are strange."""

from __future__ import annotations

import json
import unittest
from http.server import BaseHTTPRequestHandler

from soundferry import Client, MemoryTokens, SoundferryError
from soundferry.relay_calls import RelayCalls
from soundferry.relay_http import RelayHttp

from .stand_in import StandIn, give, give_foreign

def sentence_of(url: str) -> str:
    """Returns what the client reports about a server."""
    try:
        return Client(url, tokens=MemoryTokens("sfa_1")).me().device_name
    except SoundferryError as error:
        return str(error)


class CallsTest(unittest.TestCase):
    def test_a_strange_answer_has_a_sentence(self) -> None:
        answers = {
            "is not a relay. Check the address.": lambda it: give_foreign(it, 200, "<html>"),
            "The relay has a problem (502). Try again later.": lambda it: give_foreign(it, 502),
            "redirects to another address": lambda it: give_foreign(it, 302, Location="http://a/"),
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

    def test_only_an_unknown_token_is_forgotten(self) -> None:
        def refuse(handler: BaseHTTPRequestHandler) -> None:
            give(handler, 401, json.dumps({"error": "No.", "code": code}))

        for code, kept in (("TOKEN_MISSING", "sfa_1"), ("TOKEN_UNKNOWN", None)):
            tokens = MemoryTokens("sfa_1")
            with StandIn(refuse) as server, self.assertRaises(SoundferryError):
                Client(server.url, tokens=tokens).me()
            self.assertEqual(tokens.load(), kept, code)

    def test_a_path_can_not_smuggle_a_header(self) -> None:
        with StandIn(lambda it: give(it, 200)) as server:
            calls = RelayCalls(RelayHttp(server.url), MemoryTokens("sfa_1\r\nX: y"))
            with self.assertRaises(SoundferryError):
                calls.me()
            client = Client(server.url, tokens=MemoryTokens("sfa_1"))
            with self.assertRaises(SoundferryError):
                client.upload("/a b\r\nX: y", b"RIFF")
            self.assertEqual(server.seen, [])
