"""Drafts, sounds and tokens."""

from __future__ import annotations

import errno
import os
import stat
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from soundferry import MemoryTokens, Package, Sound, SoundferryError, TokenFile
from soundferry.draft import describe_package
from soundferry.relay_url import parse_relay_url
from soundferry.sounds import SoundBytes


class DraftTest(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def write(self, name: str, content: bytes = b"RIFF") -> Path:
        path = self.folder / name
        path.write_bytes(content)
        return path

    def test_files_are_named_as_the_relay_accepts_them(self) -> None:
        beat, odd = self.write("beat.wav"), self.write("Schläge.wav")
        own = Sound(b"RIFF", file="own.wav")
        package = Package([beat, odd, Sound(beat), own, Sound(b"RIFF")])
        described = describe_package(package, None)
        files = [each.file for each in described.sounds]
        self.assertEqual(
            files, ["beat.wav", "sound-2.wav", "sound-3.wav", "own.wav", "sound-5.wav"]
        )
        names = [each.item.get("name") for each in described.sounds]
        self.assertEqual(names, ["beat", "Schläge", "beat", None, None])

    def test_what_a_draft_leaves_out_stays_out(self) -> None:
        described = describe_package(Package([Sound(b"RIFF")]), None)
        self.assertEqual(described.head, {"schema": "app2host/1", "source": {}})
        self.assertEqual(described.sounds[0].item, {"file": "sound-1.wav"})

    def test_every_field_has_its_name_in_the_manifest(self) -> None:
        sound = Sound(b"", "a.wav", "kick", "Kick", "loop", "drums", 120, 8, "tones", "#FF8000", -3)
        described = describe_package(Package([sound], "Take", 99.5, app_version="2"), "Looper")
        self.assertEqual(
            {**described.head, **described.sounds[0].item},
            {
                "schema": "app2host/1",
                "title": "Take",
                "source": {"app": "Looper", "app_version": "2"},
                "tempo": {"bpm": 99.5},
                "file": "a.wav",
                "id": "kick",
                "name": "Kick",
                "kind": "loop",
                "role": "drums",
                "bpm": 120,
                "length_beats": 8,
                "warp_mode": "tones",
                "color": "#FF8000",
                "gain_db": -3,
            },
        )

    def test_a_file_that_changes_can_not_be_sent(self) -> None:
        path = self.write("beat.wav", b"RIFF" * 100)
        sound = SoundBytes.of(path, "Sound 1")
        self.assertEqual(b"".join(sound.pieces(398)), b"FF")
        path.write_bytes(b"RIFF")
        with self.assertRaisesRegex(SoundferryError, "beat.wav can't be read any more"):
            list(sound.pieces())
        for missing in map(str, (self.folder / "none.wav", self.folder, "a\0b")):
            with self.assertRaises(SoundferryError) as raised:
                SoundBytes.of(missing, "Sound 1")
            self.assertEqual(raised.exception.code, "SOUND_UNREADABLE")

    def test_only_the_owner_reads_tokens(self) -> None:
        path = self.folder / "app" / "tokens.json"
        one, other = TokenFile(path, "http://one:80/"), TokenFile(str(path), "https://other/base/")
        self.assertIsNone(one.load())
        one.save("sfa_1")
        other.save("sfa_2")
        if os.name == "posix":
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
            self.assertEqual(stat.S_IMODE(path.parent.stat().st_mode), 0o700)
        one.forget("another")
        self.assertEqual(TokenFile(path, "HTTP://ONE").load(), "sfa_1")
        one.forget("sfa_1")
        self.assertEqual((one.load(), other.load()), (None, "sfa_2"))
        self.assertEqual(os.listdir(path.parent), ["tokens.json"])
        path.write_text(path.read_text("utf-8"), "utf-8-sig")
        self.assertEqual(other.load(), "sfa_2")
        path.write_text("{")
        with self.assertRaisesRegex(SoundferryError, "is damaged. Delete it and pair again."):
            one.load()

    @unittest.skipUnless(sys.platform == "linux", "Other systems have no such names.")
    def test_a_name_that_is_no_utf_8_can_be_sent(self) -> None:
        path = os.fsencode(self.folder) + b"/Kick \xff.wav"
        Path(os.fsdecode(path)).write_bytes(b"RIFF")
        described = describe_package(Package([os.fsdecode(path)]), None)
        self.assertEqual(described.sounds[0].item["name"], "Kick \ufffd")

    def test_a_file_that_is_only_in_the_cloud(self) -> None:
        path = self.write("beat.wav")
        refusal = OSError(errno.EDEADLK, "Resource deadlock avoided")
        with mock.patch("pathlib.Path.open", side_effect=refusal):
            with self.assertRaisesRegex(SoundferryError, "beat.wav is still in iCloud"):
                SoundBytes.of(path, "Beat")

    def test_memory_forgets_only_its_own_token(self) -> None:
        tokens = MemoryTokens("sfa_1")
        tokens.forget("sfa_2")
        self.assertEqual(tokens.load(), "sfa_1")
        tokens.forget("sfa_1")
        self.assertIsNone(tokens.load())

    def test_addresses(self) -> None:
        for given, normal in (
            ("http://127.0.0.1:4700/", "http://127.0.0.1:4700"),
            ("HTTPS://Relay.Example:443/base/?q#f", "https://relay.example/base"),
            ("http://[::1]:4700", "http://[::1]:4700"),
            ("http://a/b c", "http://a/b%20c"),
        ):
            self.assertEqual(parse_relay_url(given).text, normal)
        long = f"http://{'a' * 64}.example"
        for wrong in ("relay.example", "ftp://a", "http://", "http://a:b", "", "http://a..b", long):
            with self.subTest(wrong), self.assertRaises(SoundferryError) as raised:
                parse_relay_url(wrong)
            self.assertEqual(raised.exception.code, "ADDRESS_WRONG")
