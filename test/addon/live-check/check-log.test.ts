import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findInLog } from "../../../addon/live-check/check-log.ts";
import { countAdded } from "../../../addon/live-check/check-tracks.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const QUIET = "2026-11-29T14:00:00 info: RemoteScript: Soundferry loaded\n";

test("[H21] the log's errors of control surfaces are counted, and the last ones are in the report", async () => {
  const path = join(await temporaryFolder(), "Log.txt");
  await writeFile(path, QUIET);
  expect(await findInLog(path)).toEqual({ errors: 0, last: [] });
  const error = (index: number) => `error: Python: ERROR: RemoteScriptError: line ${index}`;
  const lines = Array.from({ length: 7 }, (_, index) => error(index));
  await writeFile(path, `${QUIET}${lines.join("\r\n")}\r\n${QUIET}`);
  expect(await findInLog(path)).toEqual({ errors: 7, last: lines.slice(2) });
  // Only the end of a large log is read.
  await writeFile(path, `${error(0)}\n${"x".repeat(1_000_000)}\n${error(1)}\n`);
  expect(await findInLog(path)).toEqual({ errors: 1, last: [error(1)] });
});

test("[H21] a log that isn't there or can't be read leaves the question open", async () => {
  expect(await findInLog(undefined)).toBeNull();
  expect(await findInLog(join(await temporaryFolder(), "Log.txt"))).toBeNull();
});

test("[H21] what stays is the difference of two lists, not of two counts", () => {
  const before = ["tracks 1 Audio", "tracks 1 Audio", "scenes ", "scenes "];
  expect(countAdded(before, [...before].toReversed())).toBe(0);
  expect(countAdded(before, [...before, "scenes "])).toBe(1);
  const renamed = [...before.slice(0, 3), "scenes Soundferry check placing"];
  expect(countAdded(before, renamed)).toBe(1);
  expect(countAdded(before, before.slice(1))).toBe(0);
});
