import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { readProfile } from "./read-profile.ts";
import { readCounts } from "./strace.ts";

const ROOT = join(import.meta.dirname, "../../..");

function node(id: number, functionName: string, path = "") {
  const url = path === "" ? "" : pathToFileURL(join(ROOT, path)).href;
  return { id, callFrame: { functionName, url, lineNumber: 9 } };
}

test("a profile's time belongs to the function that ran until the next sample, and to its folder", async () => {
  const folder = await mkdtemp(join(tmpdir(), "soundferry-profile-"));
  const path = join(folder, "main.cpuprofile");
  const nodes = [
    node(1, "(idle)"),
    node(2, "answer", "relay/http/routes/status.ts"),
    node(3, "writev"),
    node(4, "", "node_modules/@some/package/lib/index.js"),
  ];
  const samples = [1, 2, 3, 2, 4, 1];
  const timeDeltas = [7, 1000, 10, 200, 30, 4];
  await writeFile(path, JSON.stringify({ nodes, samples, timeDeltas }));
  const { thread, micros, byFunction, byPlace } = await readProfile(path);
  await rm(folder, { recursive: true });
  expect({ thread, micros }).toEqual({ thread: "main", micros: 244 });
  expect(Object.fromEntries(byFunction)).toEqual({
    "answer status.ts:10": 40,
    writev: 200,
    "(anonymous) index.js:10": 4,
  });
  expect(Object.fromEntries(byPlace)).toEqual({
    "relay/http/routes": 40,
    writev: 200,
    "@some/package": 4,
  });
});

test("strace's table is read by name, with and without errors", () => {
  const table = [
    "% time     seconds  usecs/call     calls    errors syscall",
    "------ ----------- ----------- --------- --------- ----------------",
    " 70.81    0.000393          49         8         2 futex",
    " 25.05    0.000139           6        20           epoll_pwait",
    "------ ----------- ----------- --------- --------- ----------------",
    "100.00    0.000555          15        28         2 total",
  ];
  expect(Object.fromEntries(readCounts(table.join("\n")))).toEqual({ futex: 8, epoll_pwait: 20 });
});
