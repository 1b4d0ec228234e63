"""Every client must pass the vectors that were recorded from a running relay."""

from __future__ import annotations

import base64
import json
import unittest
from dataclasses import asdict
from pathlib import Path
from typing import Any, Dict, Optional

from soundferry import App, Client, MemoryTokens, Pace, Package, Sound, SoundferryError

from .replay import Replay

VECTORS = Path(__file__).parents[3] / "test" / "vectors" / "vectors.json"
FILE: Dict[str, Any] = json.loads(VECTORS.read_text("utf-8"))
INSTANT = Pace(sleep=lambda seconds, cancellation: None, random=lambda: 0.0)


def sound_of(name: str) -> bytes:
    """Builds a sound of the file."""
    sound = FILE["sounds"][name]
    return base64.b64decode(sound["head"]) + bytes(sound["zeros"])


def perform(client: Client, act: Dict[str, Any]) -> object:
    """Does what the vector says, and returns the result in the file's terms."""
    call = act["call"]
    if call == "pair":
        return {"device_name": client.pair(act["code"])}
    if call == "announce":
        return asdict(client.announce(act["manifest"], idempotency_key=act["key"]))
    if call == "upload":
        return asdict(client.upload(act["path"], sound_of(act["sound"])))
    if call == "packages":
        return asdict(client.packages(act["status"]))
    if call == "send":
        name = act["sound"]
        sound = Sound(sound_of(name), file=name, name=name[:-4])
        return asdict(client.send(Package([sound], title=act["title"]), idempotency_key=act["key"]))
    method = getattr(client, call)
    value = method(act["packageId"]) if "packageId" in act else method()
    return None if value is None else asdict(value)


def error_of(error: SoundferryError) -> Dict[str, Any]:
    """Returns an error in the file's terms."""
    said = {
        "message": str(error),
        "status": error.status,
        "code": error.code,
        "retry_after": error.retry_after,
        "missing": list(error.missing),
        "sound": error.sound,
        "file": error.file,
        "field": error.field,
        "position": error.position,
        "problems": [
            {"error" if name == "message" else name: value for name, value in _said(asdict(each)).items()}
            for each in error.problems
        ],
    }
    return _said(said)


def _said(facts: Dict[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in facts.items() if value is not None and value != []}


class VectorsTest(unittest.TestCase):
    """One subtest for each vector; separate tests would need a framework."""

    def test_every_vector(self) -> None:
        for vector in FILE["vectors"]:
            with self.subTest(vector["name"]), Replay(vector["exchanges"]) as replay:
                self.check(vector, replay)

    def check(self, vector: Dict[str, Any], replay: Replay) -> None:
        tokens = MemoryTokens(FILE["token"])
        app = App(FILE["app"]["name"], FILE["app"]["id"])
        client = Client(replay.url, tokens=tokens, app=app, pace=INSTANT)
        result: object = None
        error: Optional[SoundferryError] = None
        try:
            result = perform(client, vector["act"])
        except SoundferryError as raised:
            error = raised
        self.assertEqual(replay.problems(), [])
        if "result" in vector:
            self.assertIsNone(error)
            self.assert_has(vector["result"], result, "result")
        if "error" in vector:
            self.assertEqual(error_of(error) if error else None, vector["error"])
        self.assertEqual(tokens.load() is not None, vector["keepsToken"])

    def assert_has(self, expected: object, actual: object, where: str) -> None:
        """Checks that a value has what the relay answered, except for members known here."""
        if isinstance(expected, dict) and isinstance(actual, dict):
            for name in expected.keys() - LEFT_OUT:
                self.assert_has(expected[name], actual.get(name), f"{where}.{name}")
        elif isinstance(expected, list):
            assert isinstance(actual, (list, tuple)), where
            self.assertEqual(len(expected), len(actual), where)
            for index, each in enumerate(expected):
                self.assert_has(each, actual[index], f"{where}[{index}]")
        else:
            self.assertEqual(expected, actual, where)


# Clocks differ, so the client keeps only the seconds that are left; `Status.json` has the rest.
LEFT_OUT = {"expires_at", "created_at"}


if __name__ == "__main__":
    unittest.main()
