import { hostname, userInfo } from "node:os";
import { describe, expect, test } from "vitest";
import { hidePrivate, hider, namesHere } from "../../../addon/live-check/hide-private.ts";

const TOKEN = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
/** Texts of Live, and words in them that no report may contain. */
const HOSTILE: readonly (readonly [text: string, ...secrets: string[]])[] = [
  ["Can't open /Users/ada/Music/My Set Project/Beat.wav", "ada", "My Set", "Beat.wav", "/Users"],
  ["Can't open “/Volumes/Ada’s Disk/x.wav”", "Ada", "x.wav", "Volumes"],
  [String.raw`C:\Users\Ada Lovelace\Music\x.wav is missing`, "Ada", "Lovelace", "x.wav", "C:"],
  [String.raw`\\studio-nas\music\x.wav is missing`, "studio-nas", "x.wav"],
  [String.raw`\\?\C:\Users\Ada\x.wav is missing`, "Ada", "x.wav"],
  ["C:/Users/Ada/x.wav is missing", "Ada", "x.wav"],
  ["~/Music/x.wav is missing", "Music", "x.wav"],
  ["file:///Users/ada/x.wav is missing", "ada", "x.wav"],
  ["Ada Lovelace has no rights on ADAS-MacBook", "Ada Lovelace", "ADAS-MacBook"],
  ["ada lovelace has no rights", "ada", "lovelace"],
  ["Mail ada@example.com about it", "ada@", "example.com"],
  ["http://10.0.0.7:4701/#secret is closed", "10.0.0.7", "secret"],
  ["10.0.0.7 is closed, fe80::1ff:fe23:4567:890a too", "10.0.0.7", "fe80"],
  ["studio.local is closed", "studio.local"],
  [`Signature ${TOKEN} is wrong`, TOKEN.slice(0, 20), TOKEN.slice(-20)],
  ["Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVPmB92K27u is wrong", "eyJ", "dBjft"],
  ["Serial 123e4567-e89b-12d3-a456-426614174000", "e89b"],
  ["one\n/Users/ada/x\r\ntwo\u202e/Users/ada", "ada"],
];

describe("a report", () => {
  test.each(HOSTILE)("[H21] has no secret of: %s", (text, ...secrets) => {
    const hide = hider(["Ada Lovelace", "ada", "lovelace", "ADAS-MacBook"]);
    for (const secret of secrets) {
      expect(hide(text).toLowerCase()).not.toContain(secret.toLowerCase());
    }
  });

  test("[H21] has none in lists, and no name of this computer and its user", () => {
    const text = `${userInfo().username} on ${hostname()} wrote /home/x/y`;
    const facts = hidePrivate({ list: [["a", text], 1, null], text, yes: true }, namesHere());
    const said = JSON.stringify(facts);
    for (const name of [...namesHere(), "/home/x"]) expect(said).not.toContain(name);
    expect(facts).toMatchObject({ list: [["a", expect.any(String)], 1, null], yes: true });
  });

  test.each([
    "Refusal: Cannot set LoopStart behind LoopEnd",
    "ArgumentError: Python argument types in Clip.color_index(float) did not match C++ signature",
    "Refusal: Warp marker sample time is out of range",
    "The shadow marker can't be moved.",
    "−30.7 dB",
    "-inf dB",
    "RuntimeError: Limit of tracks reached (8/8)",
  ])("[H21] keeps what Live says of itself: %s", (text) => {
    expect(hider(["ada"])(text)).toBe(text);
  });

  test("[H21] has no text that goes on and on", () => {
    expect(hider([])("no ".repeat(10_000)).length).toBeLessThanOrEqual(300);
  });
});
