"""Pairing codes as people type them, and claims whose answer is lost."""

from __future__ import annotations

import json
import unittest
from pathlib import Path

from soundferry.pairing_code import parse_pairing_code

CODES = json.loads(
    (Path(__file__).parents[3] / "test" / "vectors" / "pairing-codes.json").read_text("utf-8")
)


class PairingTest(unittest.TestCase):
    def test_a_code_is_understood_as_in_the_other_clients(self) -> None:
        for typed in CODES["typed"]:
            self.assertEqual(parse_pairing_code(typed), CODES["code"], ascii(typed))
        for typed in (*CODES["notACode"], f"K7MQ2X{' ' * 195}"):
            self.assertIsNone(parse_pairing_code(typed), ascii(typed))
