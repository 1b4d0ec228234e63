import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Journals } from "../../../addon/runs/journal.ts";
import { isReportedEnd, readJournalText } from "../../../addon/runs/journal-lines.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const AT = "2026-11-21T00:00:00.000Z";
const IN = { status: "imported", track: "Kick (Looper)" } as const;
const END = { kind: "end", status: "imported", at: AT, results: { 1: IN } } as const;
const REPORTED = { run_id: "run-1", host: "live", title: "Kit", end: END };

/** A journal whose run stopped between storing its report and writing its end. */
async function setUp(reported: unknown = REPORTED) {
  const folder = join(await temporaryFolder(), "runs");
  const file = join(folder, "pkg_a.jsonl");
  const asked: string[] = [];
  const journals = new Journals(
    folder,
    () => Date.parse(AT),
    async (packageId) => {
      asked.push(packageId);
      return reported;
    },
  );
  const begin = (runId = "run-1", hostName = "live") =>
    journals.begin("pkg_a", { runId, hostName, title: "Kit", earlier: [] });
  const linesOf = async () => (await readFile(file, "utf8")).split("\n");
  return { journals, file, asked, begin, linesOf };
}

test("[R4] a run with a stored report is over, and its end is written once", async () => {
  const { journals, asked, begin, linesOf } = await setUp();
  await begin();
  const { importedInto, results, unfinished } = await journals.read("pkg_a");
  expect([...importedInto, unfinished.size]).toEqual(["live", 0]);
  expect(results.get("live")).toEqual(new Map([["1", IN]]));
  expect(asked).toEqual(["pkg_a"]);
  expect((await linesOf()).filter((line) => line !== "")).toHaveLength(1);
  await journals.endReported("pkg_a");
  const ended = await linesOf();
  expect(ended.slice(1)).toEqual([
    JSON.stringify({ kind: "begin", run_id: "run-1", host: "live", title: "Kit", at: AT }),
    JSON.stringify(END),
    "",
  ]);
  await journals.endReported("pkg_a");
  expect(await linesOf()).toEqual(ended);
});

test("[R4] a line that a power cut tore doesn't swallow the end", async () => {
  const { journals, file, begin, linesOf } = await setUp();
  await begin();
  await appendFile(file, '{"kind":"step","st');
  expect((await journals.read("pkg_a")).unfinished.size).toBe(0);
  await journals.endReported("pkg_a");
  expect((await linesOf())[1]).toBe('{"kind":"step","st');
  expect((await journals.read("pkg_a")).unfinished.size).toBe(0);
});

test("[R4] nobody is asked for a report where no run is open, or no journal is there", async () => {
  const { journals, asked, begin } = await setUp();
  expect((await journals.read("pkg_a")).title).toBe("");
  await journals.endReported("pkg_a");
  (await begin()).noteEnd("imported");
  asked.length = 0;
  expect((await journals.read("pkg_a")).unfinished.size).toBe(0);
  expect(asked).toEqual([]);
});

test.each([
  ["of another run", { ...REPORTED, run_id: "run-2" }],
  ["of a run at another host", { ...REPORTED, host: "preview" }],
  ["without an end", { ...REPORTED, end: undefined }],
  ["that is none", null],
])("[R4] a report %s ends no run", async (_, reported) => {
  const { journals, begin, linesOf } = await setUp(reported);
  await begin();
  expect((await journals.read("pkg_a")).unfinished.get("live")?.runId).toBe("run-1");
  const before = await linesOf();
  await journals.endReported("pkg_a");
  expect(await linesOf()).toEqual(before);
});

test("[R4] what a report carries is the run's own end", async () => {
  const { begin } = await setUp();
  const journal = await begin();
  expect(journal.reportedEnd("imported", { results: { 1: IN } })).toEqual(REPORTED);
  expect(isReportedEnd(REPORTED)).toBe(true);
  for (const other of [undefined, [], { end: END.kind }, { end: { ...END, kind: "begin" } }]) {
    expect(isReportedEnd(other)).toBe(false);
  }
});

test("[R4] an end says only what is known", async () => {
  const { begin, linesOf } = await setUp();
  const journal = await begin();
  journal.noteEnd("failed");
  expect((await linesOf()).at(-2)).toBe(JSON.stringify({ kind: "end", status: "failed", at: AT }));
  const undone = await begin("run-2");
  undone.recordUnfinished();
  expect((await linesOf()).at(-2)).toBe(JSON.stringify({ kind: "undone", at: AT }));
  await undone.step("make the scene", () => 1);
  expect((await linesOf()).at(-3)).toBe(
    JSON.stringify({ kind: "step", step: 1, label: "make the scene" }),
  );
});

test("[R11] of two hosts the one that was imported into last has the last results", () => {
  const lineOf = (host: string) =>
    [{ kind: "begin", run_id: host, host, title: "Kit", at: AT }, END]
      .map((line) => JSON.stringify(line))
      .join("\n");
  const read = (...hosts: string[]) => readJournalText(hosts.map(lineOf).join("\n"));
  expect([...read("a", "b").results.keys()]).toEqual(["a", "b"]);
  expect([...read("a", "b", "a").results.keys()]).toEqual(["b", "a"]);
});

test("[R13] a choice of sounds with something else among them is none", () => {
  const begin = { kind: "begin", run_id: "run-1", host: "live", title: "Kit", at: AT };
  const choiceOf = (sounds: unknown) =>
    readJournalText(JSON.stringify({ ...begin, sounds })).unfinished.get("live");
  expect(choiceOf(["1", "2"])).toEqual({ runId: "run-1", soundIds: ["1", "2"], steps: [] });
  for (const wrong of [["1", 2], "1", undefined]) {
    expect(choiceOf(wrong)).toEqual({ runId: "run-1", steps: [] });
  }
});
