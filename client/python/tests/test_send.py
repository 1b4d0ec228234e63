"""The traces that a send leaves at the relay."""

from __future__ import annotations

import json
import unittest
from http.server import BaseHTTPRequestHandler
from typing import Any, Dict, List, Optional, Tuple

from soundferry import (
    Cancellation,
    Cancelled,
    Client,
    MemoryTokens,
    Package,
    Problem,
    Progress,
    SentPackage,
    Sound,
    SoundferryError,
)

from soundferry.sounds import SoundBytes
from soundferry.wav_header import check_wav

from .stand_in import HurriedClock, StandIn, give, wav

ROOM = {"bytes_left": 1000, "waiting_left": 1, "package_bytes_max": 1000}
PACKAGE = Package([Sound(wav())])
# Large enough to be resumed.
LARGE = Package([Sound(wav(2 * 1024 * 1024))])
LARGE_ROOM = {"bytes_left": 10**8, "package_bytes_max": 10**8}

Refusals = Dict[Tuple[str, str], List[Tuple[int, str]]]


class Relay:
    """Answers as a relay does, except for the given refusals, by method and the path's last part."""

    def __init__(
        self,
        refusals: Refusals,
        room: Optional[Dict[str, int]] = None,
        status: str = "uploading",
    ) -> None:
        self._refusals = refusals
        self._room = room or ROOM
        self._status = status

    def __call__(self, handler: BaseHTTPRequestHandler) -> None:
        handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        last = handler.path.rsplit("/", 1)[-1]
        refusals = self._refusals.get((handler.command, last), [])
        if refusals:
            status, code = refusals.pop(0)
            give(handler, status, json.dumps({"error": f"It is {code}.", "code": code}))
            return
        announced = {
            "package_id": "pkg_1",
            "upload": {"sound-1.wav": "/packages/pkg_1/files/sound-1.wav"},
            "warnings": [],
            "expires_in": 3600,
        }
        me = {"device_name": "Studio", "app_name": "Looper", "paired_at": "", "room": self._room}
        status_answer = {"package_id": "pkg_1", "title": "", "status": self._status}
        answers: Dict[str, Any] = {"me": me, "packages": announced, "status": status_answer}
        give(handler, 200, json.dumps(answers.get(last, {})))


def send(url: str, package: Package = PACKAGE, **options: Any) -> SentPackage:
    """Sends one sound."""
    return Client(url, tokens=MemoryTokens("sfa_1"), pace=HurriedClock().pace()).send(package, **options)


def methods(server: StandIn) -> str:
    """Returns the methods that the client called, such as ``GET POST PUT POST``."""
    return " ".join(method for method, _ in server.seen)


class SendTest(unittest.TestCase):
    def refused(self, server: StandIn, **options: Any) -> SoundferryError:
        with self.assertRaises(SoundferryError) as raised:
            send(server.url, **options)
        return raised.exception

    def test_a_package_that_expires_meanwhile_is_announced_again(self) -> None:
        with StandIn(Relay({("PUT", "sound-1.wav"): [(409, "PACKAGE_EXPIRED")]})) as server:
            self.assertEqual(send(server.url).package_id, "pkg_1")
            self.assertEqual(methods(server), "GET POST PUT POST PUT POST")

    def test_a_refusal_of_head_says_nothing_and_the_append_asks_why(self) -> None:
        refusals: Refusals = {
            ("HEAD", "sound-1.wav"): [(409, "")],
            ("PATCH", "sound-1.wav"): [(409, "PACKAGE_EXPIRED")],
        }
        with StandIn(Relay(refusals, {**ROOM, **LARGE_ROOM})) as server:
            self.assertEqual(send(server.url, package=LARGE).package_id, "pkg_1")
            self.assertEqual(methods(server), "GET POST HEAD PATCH POST HEAD PUT POST")

    def test_a_commit_whose_answer_was_lost_is_found_by_the_status(self) -> None:
        for status, code in ((409, "PACKAGE_IMPORTED"), (404, "PACKAGE_UNKNOWN")):
            relay = Relay({("POST", "commit"): [(status, code)]}, status="imported")
            with StandIn(relay) as server:
                self.assertEqual(send(server.url).package_id, "pkg_1")
                self.assertEqual(methods(server), "GET POST PUT POST GET")

    def test_what_the_commit_finds_missing_is_sent_again_twice(self) -> None:
        for times in (2, 3):
            missing = [(409, "FILES_MISSING")] * times
            with StandIn(Relay({("POST", "commit"): missing})) as server:
                if times == 2:
                    send(server.url)
                else:
                    self.assertEqual(self.refused(server).code, "FILES_MISSING")
                self.assertEqual(methods(server).count("PUT"), 3)

    def test_what_is_refused_for_good_is_withdrawn(self) -> None:
        with StandIn(Relay({("PUT", "sound-1.wav"): [(422, "WAV_NOT_RIFF")]})) as server:
            error = self.refused(server)
            self.assertEqual((error.code, error.package_id), ("WAV_NOT_RIFF", "pkg_1"))
            self.assertEqual(methods(server), "GET POST PUT DELETE")

    def test_what_has_a_key_stays(self) -> None:
        with StandIn(Relay({("PUT", "sound-1.wav"): [(422, "WAV_NOT_RIFF")]})) as server:
            self.refused(server, idempotency_key="take-1")
            self.assertEqual(methods(server), "GET POST GET PUT")

    def test_sounds_that_no_relay_accepts_are_refused_before_anything_is_sent(self) -> None:
        bad = [
            Sound(b"ID3 and no audio", name="Kick 01"),
            Sound(wav()),
            Sound(wav().replace(b"WAVE", b"AVI "), file="hat.wav", id="hat"),
        ]
        with StandIn(Relay({})) as server:
            error = self.refused(server, package=Package(bad))
            self.assertEqual(server.seen, [])
        kick = "Kick 01: not a WAV file. Export it as WAV."
        hat = "hat.wav: not a WAV file. Export it as WAV."
        self.assertEqual(str(error), f"2 sounds can't be sent. {kick} {hat}")
        self.assertEqual((error.code, error.sound, error.position), ("SOUNDS_REFUSED", "1", 1))
        self.assertEqual(
            error.problems,
            (
                Problem(kick, "WAV_NOT_RIFF", "1", "sound-1.wav", position=1),
                Problem(hat, "WAV_NOT_RIFF", "hat", "hat.wav", position=3),
            ),
        )
        alone = Package(bad[:1])
        self.assertEqual(str(self.refused(server, package=alone)), kick)

    def test_of_a_long_sound_only_the_header_is_read(self) -> None:
        read: List[int] = []
        content = SoundBytes.of(wav(10_000_000), "Sound 1")

        def read_at(offset: int, size: int) -> bytes:
            read.append(size)
            return content.read(offset, size)

        check_wav(read_at, content.size)
        self.assertEqual(read, [4096])

    def test_a_refusal_names_the_sound_as_the_person_does(self) -> None:
        sounds = [Sound(wav(), name="Schläge", id="beat"), Sound(wav(), file="kick.wav")]
        label = "sound-1.wav: its checksum differs."
        problems = [
            {"error": label, "code": "X", "file": "sound-1.wav"},
            {"error": "sound…: it is odd.", "code": "X", "file": "sound-1.wav"},
            {"error": "Sound 2 is odd.", "code": "X", "file": "kick.wav"},
            {"error": "Nothing is known.", "code": "X"},
        ]
        body = {"error": label, "code": "X", "file": "sound-1.wav", "problems": problems}
        with StandIn(lambda it: give(it, 422, json.dumps(body))) as server:
            error = self.refused(server, package=Package(sounds))
        self.assertEqual(str(error), "Schläge: its checksum differs.")
        self.assertEqual((error.sound, error.file, error.position), ("beat", "sound-1.wav", 1))
        self.assertEqual(
            [each.message for each in error.problems],
            [
                "Schläge: its checksum differs.",
                "Schläge: it is odd.",
                "Sound 2 is odd.",
                "Nothing is known.",
            ],
        )

    def test_a_failed_upload_names_its_sound(self) -> None:
        with StandIn(Relay({("PUT", "sound-1.wav"): [(418, "ODD")]})) as server:
            error = self.refused(server, package=Package([Sound(wav(), name="Kick 01")]))
        self.assertEqual((error.code, error.sound, error.file), ("ODD", "1", "sound-1.wav"))

    def test_progress_has_the_sounds_id_and_name(self) -> None:
        seen: List[Progress] = []
        sound = Sound(wav(), id="kick", name="Kick 01")
        with StandIn(Relay({})) as server:
            send(server.url, Package([sound]), on_progress=seen.append)
        self.assertEqual(
            [(each.phase, each.id, each.name, each.file) for each in seen],
            [(phase, "kick", "Kick 01", "sound-1.wav") for phase in ("hashing", "uploading")],
        )

    def test_a_lack_of_room_is_never_final(self) -> None:
        with StandIn(Relay({("PUT", "sound-1.wav"): [(507, "DISK_FULL")]})) as server:
            self.refused(server)
            self.assertEqual(methods(server), "GET POST PUT")

    def test_a_lack_of_room_is_known_before_anything_is_hashed(self) -> None:
        for room in ({"waiting_left": 0}, {"bytes_left": 79}, {"package_bytes_max": 79}):
            hashed: List[Progress] = []
            with StandIn(Relay({}, {**ROOM, **room})) as server:
                self.assertEqual(
                    self.refused(server, on_progress=hashed.append).code, "ROOM_TOO_SMALL"
                )
                self.assertEqual((methods(server), hashed), ("GET", []))
                send(server.url, idempotency_key="take-1")

    def test_a_canceled_send_reports_what_it_left(self) -> None:
        for phase, key, outcome in (
            ("hashing", None, "nothing"),
            ("uploading", None, "withdrawn"),
            ("uploading", "take-1", "kept"),
        ):
            stop, outcomes = Cancellation(), list[str]()

            def cancel(progress: Progress, phase: str = phase, stop: Cancellation = stop) -> None:
                if progress.phase == phase:
                    stop.cancel()

            with StandIn(Relay({})) as server, self.assertRaises(Cancelled):
                send(
                    server.url,
                    idempotency_key=key,
                    cancellation=stop,
                    on_progress=cancel,
                    on_stopped=outcomes.append,
                )
            self.assertEqual(outcomes, [outcome])
