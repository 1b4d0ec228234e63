"""Every client must pass the vectors that were recorded from a running relay."""

from __future__ import annotations

import base64
import json
import tempfile
import unittest
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from soundferry import App, Client, MemoryTokens, Package, Sound, SoundferryError

from soundferry.draft import describe_package
from soundferry.sounds import SoundBytes, SoundSource
from soundferry.wav_header import check_wav
from soundferry.wav_refusals import WavRefused

from .replay import Replay, give_as_vector
from .stand_in import HurriedClock, StandIn

VECTORS = Path(__file__).parents[3] / "test" / "vectors" / "vectors.json"
FILE: Dict[str, Any] = json.loads(VECTORS.read_text("utf-8"))


FOREIGN: Dict[str, Any] = FILE["foreign"]


def vector_of(name: str) -> Dict[str, Any]:
    """Returns a vector of the file by its name."""
    found: Dict[str, Any] = next(each for each in FILE["vectors"] if each["name"] == name)
    return found


def client_of(url: str, tokens: MemoryTokens) -> Client:
    """Builds a client that waits for nothing."""
    app = App(FILE["app"]["name"], FILE["app"]["id"])
    return Client(url, tokens=tokens, app=app, pace=HurriedClock().pace())


def act(client: Client, what: Dict[str, Any]) -> Tuple[object, Optional[SoundferryError]]:
    """Does what a vector says, and returns the result or the error."""
    try:
        return perform(client, what), None
    except SoundferryError as error:
        return None, error


def sound_of(name: str) -> bytes:
    """Builds a sound of the file."""
    return bytes_of(FILE["sounds"][name])


def bytes_of(sound: Dict[str, Any]) -> bytes:
    """Builds the bytes of a sound."""
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
        return asdict(client.list(status=act["status"]))
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
                error = self.check(vector, replay)
                if "error" in vector:
                    self.assertEqual(error, vector["error"])

    def test_a_relay_that_knows_only_the_public_specification(self) -> None:
        for vector in FOREIGN["vectors"]:
            with self.subTest(vector["name"]), Replay(vector["exchanges"]) as replay:
                for instead in vector.get("instead", []):
                    replay.answer_once(instead)
                error = self.check(vector, replay)
                self.assertLessEqual(vector.get("error", {}).items(), error.items())

    def test_wavs_are_judged_as_the_relay_does(self) -> None:
        self.assertGreater(len(FILE["wavs"]), 50)
        for vector in FILE["wavs"]:
            content = SoundBytes.of(bytes_of(vector["sound"]), "Sound 1")
            with self.subTest(vector["name"]):
                try:
                    check_wav(content.read, content.size)
                    error = None
                except WavRefused as refused:
                    error = {"code": refused.code, "error": refused.sentence(vector["name"])}
                self.assertEqual(error, vector.get("error"))

    def test_sounds_are_named_as_their_files(self) -> None:
        for vector in FILE["names"]:
            with self.subTest(vector["files"]), tempfile.TemporaryDirectory() as folder:
                sources: List[SoundSource] = []
                for index, name in enumerate(vector["files"]):
                    path = Path(folder, str(index), name or "")
                    path.parent.mkdir(exist_ok=True)
                    if name is not None:
                        path.write_bytes(b"RIFF")
                    sources.append(b"RIFF" if name is None else path)
                described = describe_package(Package([Sound(each) for each in sources]), None)
                self.assertEqual([each.item for each in described.sounds], vector["items"])

    def test_a_foreign_answer_at_first_is_not_a_relay(self) -> None:
        for each in FOREIGN["answers"]:
            with StandIn(partial(give_as_vector, answer=each["answer"])) as server:
                for call in FOREIGN["calls"]:
                    with self.subTest(f"{each['name']}, {call}"):
                        tokens = MemoryTokens(FILE["token"])
                        _, error = act(client_of(server.url, tokens), vector_of(call)["act"])
                        self.assertIsNotNone(error)
                        self.assertEqual(error and error.code, each["first"])
                        self.assertIsNotNone(tokens.load())

    def test_a_foreign_answer_in_the_middle_counts_for_nothing(self) -> None:
        known = vector_of("the paired computer")["exchanges"]
        for each in FOREIGN["answers"]:
            for call in FOREIGN["calls"]:
                vector = vector_of(call)
                for exchange in vector["exchanges"]:
                    request = exchange["request"]
                    if exchange["need"] == "may":
                        continue
                    with self.subTest(f"{each['name']}, {call}, {request['method']}"):
                        with Replay([*known, *vector["exchanges"]]) as replay:
                            self.check_in_the_middle(vector, replay, {**exchange, **request, **each})

    def check_in_the_middle(
        self, vector: Dict[str, Any], replay: Replay, instead: Dict[str, Any]
    ) -> None:
        tokens = MemoryTokens(FILE["token"])
        client = client_of(replay.url, tokens)
        client.me()
        replay.answer_once(instead)
        result, error = act(client, vector["act"])
        self.assertIsNotNone(tokens.load())
        if instead["need"] == "must":
            self.assertFalse(replay.has_answers_left)
        if vector["act"]["call"] in ("send", "pair"):
            self.assertEqual(replay.problems(), [])
            self.assert_has(vector["result"], result, "result")
        else:
            self.assertEqual(error and error.code, "FOREIGN_ANSWER")

    def check(self, vector: Dict[str, Any], replay: Replay) -> Dict[str, Any]:
        """Checks all but the error, which it returns in the file's terms."""
        tokens = MemoryTokens(FILE["token"])
        result, error = act(client_of(replay.url, tokens), vector["act"])
        self.assertEqual(replay.problems(), [])
        self.assertEqual(error is None, "error" not in vector, error)
        if "result" in vector:
            self.assert_has(vector["result"], result, "result")
        self.assertEqual(tokens.load() is not None, vector["keepsToken"])
        return {} if error is None else error_of(error)

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
