"""Pairing codes as people type them, and claims whose answer is lost."""

from __future__ import annotations

import json
import unittest
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Dict, List

from soundferry import App, Client, MemoryTokens, SoundferryError, receive_page_of
from soundferry.pairing_code import parse_pairing_code

from .stand_in import HurriedClock, StandIn, give

CODES = json.loads(
    (Path(__file__).parents[3] / "test" / "vectors" / "pairing-codes.json").read_text("utf-8")
)


class PairingTest(unittest.TestCase):
    def test_a_code_is_understood_as_in_the_other_clients(self) -> None:
        for typed in CODES["typed"]:
            self.assertEqual(parse_pairing_code(typed), CODES["code"], ascii(typed))
        for typed in (*CODES["notACode"], f"K7MQ2X{' ' * 195}"):
            self.assertIsNone(parse_pairing_code(typed), ascii(typed))

    def test_a_lost_claim_is_repeated_with_its_key(self) -> None:
        def answer(handler: BaseHTTPRequestHandler) -> None:
            claims.append(json.loads(handler.rfile.read(int(handler.headers["Content-Length"]))))
            keys.append(handler.headers["Idempotency-Key"])
            if len(keys) > 6:
                give(handler, 200, '{"app_token": "sfa_1", "device_name": "Studio"}')

        claims: List[Dict[str, str]] = []
        keys: List[str] = []
        with StandIn(answer) as server:
            tokens = MemoryTokens()
            client = Client(server.url, tokens=tokens, app=App("Looper", "a-1"), pace=HurriedClock().pace())
            with self.assertRaises(SoundferryError):
                client.pair("“ｋ７ｍ–q2x”")
            self.assertEqual(client.pair("K7M Q2X"), "Studio")
            for code in ("K7M Q2X", "K7M Q20"):
                client.pair(code)
        codes = [claim["code"] for claim in claims]
        self.assertEqual(codes, [*["K7MQ2X"] * 8, "K7M Q20"])
        self.assertEqual(keys[:7], keys[:1] * 7)
        self.assertRegex(keys[0], "^[0-9a-f]{32}$")
        self.assertEqual(len(set(keys)), 3)
        self.assertEqual(tokens.load(), "sfa_1")

    def test_a_claim_is_given_up_soon_and_a_refusal_ends_it(self) -> None:
        clock = HurriedClock()
        for answer in (lambda it: None, lambda it: give(it, 429, '{"error": "No."}', Retry_After="2")):
            with StandIn(answer) as server:
                client = Client(server.url, tokens=MemoryTokens(), app=App("L", "1"), pace=clock.pace())
                with self.assertRaises(SoundferryError):
                    client.pair("K7M Q2X")
        self.assertEqual(clock.waits, [0.25, 0.5, 1.0, 2.0])

    def test_the_page_that_receives_is_named_where_there_is_one(self) -> None:
        for relay in ("https://relay.example/a/", "http://127.0.0.1:4700", "http://[::1]:4700"):
            self.assertEqual(receive_page_of(relay), f"{relay.rstrip('/')}/receive")
        for relay in ("http://192.168.1.20:4700", "http://studio.local", "http://relay.example"):
            self.assertIsNone(receive_page_of(relay), relay)
