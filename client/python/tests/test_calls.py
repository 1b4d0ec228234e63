"""Calls whose answers are strange."""

from __future__ import annotations

import json
import unittest
from http.server import BaseHTTPRequestHandler
from typing import Callable, Dict, Tuple

from soundferry import Client, MemoryTokens, SoundferryError
from soundferry.relay_calls import RelayCalls
from soundferry.relay_http import RelayHttp

from .stand_in import StandIn, give, give_foreign


def error_of(url: str) -> SoundferryError:
    """Returns the error of a call."""
    try:
        Client(url, tokens=MemoryTokens("sfa_1")).me()
    except SoundferryError as error:
        return error
    raise AssertionError("The call succeeded.")


class CallsTest(unittest.TestCase):
    def check(self, url: str, code: str, sentence: str) -> None:
        error = error_of(url)
        self.assertEqual(error.code, code)
        self.assertIn(sentence, str(error))

    def test_a_strange_answer_has_a_code_and_a_sentence(self) -> None:
        refuse = "The relay refused this (418)."
        answers: Dict[Tuple[str, str], Callable[[BaseHTTPRequestHandler], None]] = {
            ("NOT_A_RELAY", "is not a relay. Check the address."): lambda it: give_foreign(
                it, 200, "<html>"
            ),
            ("RELAY_TROUBLE", "has a problem (502)"): lambda it: give_foreign(it, 502),
            ("RELAY_TROUBLE", "has a problem (500)"): lambda it: give(it, 500, "{}"),
            ("NOT_PAIRED", "No longer paired. Enter"): lambda it: give(it, 401),
            ("REFUSED", refuse): lambda it: give(it, 418, '{"code": ""}'),
            ("REFUSED", "x" * 500): lambda it: give(it, 418, json.dumps({"error": "x" * 999})),
            ("REDIRECTED", "redirects to another address"): lambda it: give_foreign(
                it, 302, Location="/app/me"
            ),
            ("NO_ANSWER", "was lost. Check the network."): lambda it: _write(it, b"nonsense\r\n"),
        }
        for (code, sentence), answer in answers.items():
            with self.subTest(code), StandIn(answer) as server:
                self.check(server.url, code, sentence)
                self.assertEqual(server.seen, [("GET", "/app/me")])

    def test_no_answer_has_a_code(self) -> None:
        with StandIn(lambda it: give(it, 200)) as server:
            self.check(server.url.replace("http:", "https:"), "TLS_FAILED", "no secure connection")
        self.check(server.url, "NO_ANSWER", "Nothing answers at")
        self.check("http://nowhere.invalid", "NO_ANSWER", "can't be found")

    def test_an_answer_that_is_cut_is_no_answer(self) -> None:
        with StandIn(lambda it: _write(it, b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{}")) as server:
            self.check(server.url, "NO_ANSWER", "was lost. Check the network.")

    def test_only_an_unknown_token_is_forgotten(self) -> None:
        def refuse(handler: BaseHTTPRequestHandler) -> None:
            give(handler, 401, json.dumps({"error": "No.", "code": code}))

        for code, kept in (("TOKEN_MISSING", "sfa_1"), ("TOKEN_UNKNOWN", None)):
            tokens = MemoryTokens("sfa_1")
            with StandIn(refuse) as server, self.assertRaises(SoundferryError):
                Client(server.url, tokens=tokens).me()
            self.assertEqual(tokens.load(), kept, code)

    def test_what_can_not_be_sent_is_not_shown(self) -> None:
        with StandIn(lambda it: give(it, 200)) as server:
            for token in ("sfa_1\r\nX: y", "sfa_\u20ac"):
                calls = RelayCalls(RelayHttp(server.url), MemoryTokens(token))
                with self.assertRaises(SoundferryError) as raised:
                    calls.me()
                self.assertEqual(raised.exception.code, "REQUEST_IMPOSSIBLE")
                self.assertNotIn("sfa", str(raised.exception))
            client = Client(server.url, tokens=MemoryTokens("sfa_1"))
            with self.assertRaises(SoundferryError):
                client.upload("/a b\r\nX: y", b"RIFF")
            self.assertEqual(server.seen, [])

    def test_a_list_has_pages(self) -> None:
        def page(handler: BaseHTTPRequestHandler) -> None:
            place = handler.path.partition("after=")[2]
            item = {"package_id": place or "a", "title": "", "status": "waiting", "created_at": ""}
            following = {"": "b", "b": "c"}.get(place)
            packages = [] if place == "b" else [item]
            give(handler, 200, json.dumps({"packages": packages, "next": following}))

        with StandIn(page) as server:
            client = Client(server.url, tokens=MemoryTokens("sfa_1"))
            self.assertEqual(client.list(status="waiting").next, "b")
            listed = list(client.list_all(status=("waiting", "imported")))
            self.assertEqual([each.package_id for each in listed], ["a", "c"])
            query = "/packages?status=waiting%2Cimported"
            self.assertEqual(
                [path for _, path in server.seen[1:]], [query, f"{query}&after=b", f"{query}&after=c"]
            )

    def test_a_relay_without_a_list_says_so(self) -> None:
        def answer(handler: BaseHTTPRequestHandler) -> None:
            me = {"device_name": "Studio", "app_name": "Looper", "paired_at": ""}
            if handler.path == "/app/me":
                give_foreign(handler, 200, json.dumps(me))
            else:
                give_foreign(handler, 404, "<h1>Not Found</h1>")

        with StandIn(answer) as server:
            with self.assertRaises(SoundferryError) as raised:
                Client(server.url, tokens=MemoryTokens("sfa_1")).list()
        self.assertEqual(raised.exception.code, "LIST_UNSUPPORTED")


def _write(handler: BaseHTTPRequestHandler, text: bytes) -> None:
    handler.wfile.write(text)
