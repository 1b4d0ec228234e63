import { expect, test } from "vitest";
import { withoutPaths } from "../../../core/text/sentence-of.ts";

test.each([
  [
    "Soundferry may not write to /home/ana/Music/Soundferry. Choose another folder in the settings.",
    "Soundferry may not write to Soundferry. Choose another folder in the settings.",
  ],
  [
    "EACCES: permission denied, scandir '/home/ana/Inbox'",
    "EACCES: permission denied, scandir 'Inbox'",
  ],
  ["ENOENT: rename '/a/b c/d' -> '/a/b c/e'", "ENOENT: rename 'd' -> 'e'"],
  [
    "The disk made trouble at /Users/ana/My Music/Kit/Kick (1).wav (EIO). Import again.",
    "The disk made trouble at Kick (1).wav (EIO). Import again.",
  ],
  ["No room at C:\\Users\\ana\\Music\\Kit.", "No room at Kit."],
  ["No room at \\\\server\\share\\Kit.", "No room at Kit."],
])("[N2] cuts a path to its last segment: %s", (sentence, cut) => {
  expect(withoutPaths(sentence)).toBe(cut);
});

test.each([
  "Nothing answers at 127.0.0.1:4700. Is the relay running?",
  "relay.example sends on to https://other.example/relay/. Enter that as the relay's address.",
  "It did: make the track AC/DC (Looper), set 7/8 and/or 4/4.",
  "The version must be ../1 or later.",
])("keeps text that isn't a path: %s", (sentence) => {
  expect(withoutPaths(sentence)).toBe(sentence);
});
