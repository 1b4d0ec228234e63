import { countOf } from "../../../core/text/count-of.ts";
import { formatUnreadable } from "../../../core/text/format-unreadable.ts";
import { fillSentence, withoutPaths } from "../../../core/text/sentence-of.ts";
import { onOneLine, shorten } from "../../../core/text/shorten.ts";
import { utf8Length } from "../../../core/text/utf8.ts";
import { describe, expect, test } from "vitest";
import { formatInto } from "../../../core/text/format-host.ts";
import { formatOutcome, formatStatus } from "../../../core/text/format-outcome.ts";
import { formatGain } from "../../../core/text/format-setting.ts";
import { formatRole } from "../../../core/text/format-role.ts";
import { inEnglish } from "../../../core/messages/translate.ts";

test.each([
  ["EDEADLK", "is still in iCloud: download it in the Finder, then try again."],
  ["Unknown system error -11", "is still in iCloud: download it in the Finder, then try again."],
  ["Unknown system error -12", "can't be read."],
  ["ETIMEDOUT", "can't be read. It may be only in the cloud: download it, then try again."],
  ["EIO", "can't be read."],
])("[F8] a file that fails with %s %s", (code, why) => {
  const error = Object.assign(new Error(code), { code });
  expect(formatUnreadable(error, "Kick.wav")).toBe(`Kick.wav ${why}`);
  expect(formatUnreadable(code, "Kick.wav")).toBe("Kick.wav can't be read.");
});

test("a count uses the singular for one, otherwise the plural", () => {
  expect([0, 1, 2].map((count) => countOf(count, "sound"))).toEqual([
    "0 sounds",
    "1 sound",
    "2 sounds",
  ]);
});

describe("a sentence", () => {
  test("fills every occurrence of a placeholder", () => {
    const words = new Map([
      ["a", "one"],
      ["long_name2", "two"],
    ]);
    expect(fillSentence("{a} and {long_name2}, {a}.", words)).toBe("one and two, one.");
  });

  test("keeps placeholders without a param, and other braces", () => {
    expect(fillSentence("{a} {} {b c} {toString}", new Map())).toBe("{a} {} {b c} {toString}");
  });

  test("doesn't interpret braces or dollars in a param", () => {
    const words = new Map([
      ["a", "{b}"],
      ["b", "$& $1"],
    ]);
    expect(fillSentence("{a} {b}", words)).toBe("{b} $& $1");
  });
});

test("onOneLine replaces each run of control, bidi and line break characters with a space", () => {
  expect(onOneLine("a\r\n\tb\u001b[2Jc")).toBe("a b [2Jc");
  expect(onOneLine("a\u2028b\u2029c\u202ed\u2066e")).toBe("a b c d e");
  expect(onOneLine("Été  低音 👍🏽")).toBe("Été  低音 👍🏽");
});

describe("shortening", () => {
  test("keeps a text that fits, otherwise ends in … within the length", () => {
    expect(shorten("12345", 5)).toBe("12345");
    expect(shorten("123456", 5)).toBe("1234…");
    expect(shorten("123456", 1)).toBe("…");
    expect(shorten("123456", 0)).toBe("");
    expect(shorten("", 0)).toBe("");
  });

  test("trims the space before the …", () => {
    expect(shorten("ab  cdef", 5)).toBe("ab…");
  });

  test("never splits a surrogate pair of any plane", () => {
    expect(shorten("ab𝄞cd", 4)).toBe("ab…");
    expect(shorten("ab𝄞cd", 5)).toBe("ab𝄞…");
    for (const pair of ["\ud800\udc00", "\udbff\udfff"]) {
      expect(shorten(`ab${pair}cd`, 4)).toBe("ab…");
    }
    for (const single of ["\ud7ff", "\udc00"]) {
      expect(shorten(`ab${single}cde`, 4)).toBe(`ab${single}…`);
    }
  });
});

test.each([
  ["", 0],
  ["\u007f", 1],
  ["\u0080", 2],
  ["\u07ff", 2],
  ["\u0800", 3],
  ["\uffff", 3],
  ["\u{10000}", 4],
  ["\u{10ffff}", 4],
  ["\ud800", 3],
  ["aé低𝄞", 10],
])("%j takes %d bytes in UTF-8", (text, bytes) => {
  expect(utf8Length(text)).toBe(bytes);
  expect(new TextEncoder().encode(text)).toHaveLength(bytes);
});

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

const said = (...statuses: ("imported" | "skipped" | "failed")[]) =>
  formatOutcome(
    inEnglish,
    statuses.map((status) => ({ status })),
  );

test("an outcome counts the imported sounds and has a tone", () => {
  expect(said("imported")).toEqual({ words: "1 sound imported", tone: "good" });
  expect(said("imported", "imported")).toEqual({ words: "All 2 sounds imported", tone: "good" });
  expect(said("skipped", "imported", "failed")).toEqual({
    words: "1 of 3 sounds imported",
    tone: "mixed",
  });
  expect(said("failed", "skipped")).toEqual({ words: "None of 2 sounds imported", tone: "bad" });
  expect(said("failed")).toEqual({ words: "The sound was not imported", tone: "bad" });
});

test("a sound's status is one word", () => {
  const statuses = ["imported", "skipped", "failed"] as const;
  expect(statuses.map((status) => formatStatus(inEnglish, status))).toEqual([
    "Imported",
    "Skipped",
    "Failed",
  ]);
});

test("every role has a display name", () => {
  const roles = ["drums", "bass", "melodic", "vocal", "texture", "fx"] as const;
  const names = ["Drums", "Bass", "Melodic", "Vocal", "Texture", "FX"];
  expect(roles.map((role) => formatRole(inEnglish, role))).toEqual(names);
});

test.each([
  [undefined, "All imported"],
  ["live", "All imported into Live"],
  ["preview", "All imported into the preview"],
  ["dawproject", "All imported into a DAWproject"],
  ["dawproject-arrangement", "All imported into a DAWproject with an arrangement"],
  ["reaper", "All imported into reaper"],
])("the destination %s reads “%s”", (host, words) => {
  expect(formatInto(inEnglish, "All imported", host)).toBe(words);
});

test.each([
  [0, "0 dB"],
  [-0, "0 dB"],
  [-6.27, "−6.3 dB"],
  [3, "+3 dB"],
])("a gain of %d is %s", (gain, words) => {
  expect(formatGain(inEnglish, gain)).toBe(words);
});
