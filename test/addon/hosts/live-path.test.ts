import { expect, test } from "vitest";
import { withoutWindowsPrefix } from "../../../addon/hosts/live-path.ts";

test.each([
  [String.raw`\\?\C:\Sets\Kick.wav`, String.raw`C:\Sets\Kick.wav`],
  [String.raw`\\?\UNC\studio\Sets\Kick.wav`, String.raw`\\studio\Sets\Kick.wav`],
  [String.raw`\\studio\Sets\Kick.wav`, String.raw`\\studio\Sets\Kick.wav`],
  ["/Sets/Kick.wav", "/Sets/Kick.wav"],
])("[H3] turns the path %s into %s", (path, plain) => {
  expect(withoutWindowsPrefix(path)).toBe(plain);
});
