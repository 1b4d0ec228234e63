import { readdirSync } from "node:fs";
import { appendFile, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { HostStepError } from "../../../addon/hosts/host.ts";
import { Journals } from "../../../addon/runs/journal.ts";
import { temporaryFolder } from "../temporary-folder.ts";

async function setUp() {
  const folder = join(await temporaryFolder(), "runs");
  const file = join(folder, "pkg_a.jsonl");
  const open = () => new Journals(folder, () => Date.UTC(2026, 10, 21));
  const begin = (runId = "run-1", hostName = "live") =>
    open().begin("pkg_a", { runId, hostName, title: "Kit", earlier: [] });
  const read = () => open().read("pkg_a");
  const unfinished = async (hostName = "live") => (await read()).unfinished.get(hostName);
  return { folder, file, open, begin, read, unfinished };
}

async function stepsOf(path: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(path, "utf8");
  const lines = text.trimEnd().split("\n");
  return lines.map((line): Record<string, unknown> => JSON.parse(line));
}

test("[R4] records a step before it runs, and its outcome after", async () => {
  const { file, begin } = await setUp();
  const journal = await begin();
  let during: Record<string, unknown>[] = [];
  const outcome = await journal.step("make the scene Kit", async () => {
    during = await stepsOf(file);
    return 7;
  });
  expect(outcome).toBe(7);
  expect(during.at(-1)).toEqual({ kind: "step", step: 1, label: "make the scene Kit" });
  expect((await stepsOf(file)).at(-1)).toEqual({ kind: "done", step: 1, outcome: 7 });
});

describe("[R4] steps that are taken together", () => {
  const LABELS = ["make the scene", "make the track", "make the clip"];

  test("are all recorded before the first, and their outcomes after the last", async () => {
    const { file, begin } = await setUp();
    const journal = await begin();
    const kinds = async () => (await stepsOf(file)).slice(1).map(({ kind, step }) => [kind, step]);
    const begun = LABELS.map((_, index) => ["step", index + 1]);
    const outcome = await journal.together(LABELS, async () => {
      for (const label of LABELS) {
        await journal.step(label, async () => {
          expect(await kinds()).toEqual(begun);
        });
      }
      expect(await kinds()).toEqual(begun);
      return "all";
    });
    expect(outcome).toBe("all");
    expect(await kinds()).toEqual([...begun, ["done", 1], ["done", 2], ["done", 3]]);
    await journal.step("make another", () => undefined);
    expect((await kinds()).slice(-2)).toEqual([
      ["step", 4],
      ["done", 4],
    ]);
  });

  test("count as failed where they failed or were not reached, and as begun after a crash", async () => {
    const { begin, unfinished } = await setUp();
    const states = async () => (await unfinished())?.steps.map(({ state }) => state);
    const journal = await begin();
    const failing = journal.together(LABELS, async () => {
      await journal.step("make the scene", () => undefined);
      await journal.step("make the track", () => Promise.reject(new Error("no")));
    });
    await expect(failing).rejects.toThrow("Live couldn't make the track: no.");
    expect(await states()).toEqual(["done", "failed", "failed"]);

    const reached = Promise.withResolvers<void>();
    const crashed = await begin("run-2", "preview");
    void crashed.together(LABELS, async () => {
      await crashed.step("make the scene", () => undefined);
      reached.resolve();
      await new Promise<never>(() => undefined);
    });
    await reached.promise;
    const { steps } = (await unfinished("preview")) ?? { steps: [] };
    expect(steps.map(({ state }) => state)).toEqual(["begun", "begun", "begun"]);
  });

  test("may have a step twice, or take others, which are recorded on their own", async () => {
    const { file, begin } = await setUp();
    const journal = await begin();
    let during: Record<string, unknown>[] = [];
    await journal.together(["make the track", "make the track"], async () => {
      await journal.step("make the track", () => 1);
      await journal.step("make the track", () => 2);
      await journal.step("remove the track", async () => {
        during = await stepsOf(file);
      });
    });
    expect(during.slice(1)).toMatchObject([{ step: 1 }, { step: 2 }, { step: 3 }]);
    const outcomes = (await stepsOf(file)).slice(-3);
    expect(outcomes).toMatchObject([{ outcome: 1 }, { outcome: 2 }, { kind: "done", step: 3 }]);
  });
});

test("[R4] returns an unfinished run's steps, oldest first", async () => {
  const { begin, unfinished } = await setUp();
  const journal = await begin();
  await journal.step("make the scene", () => "scene-1");
  await journal.step("make the track", () => undefined);
  await journal.step("make the clip", () => Promise.reject(new Error("no"))).catch(() => undefined);
  void journal.step("make another track", () => new Promise<void>(() => undefined));
  expect(await unfinished()).toEqual({
    runId: "run-1",
    steps: [
      { label: "make the scene", state: "done", outcome: "scene-1" },
      { label: "make the track", state: "done", outcome: null },
      { label: "make the clip", state: "failed" },
      { label: "make another track", state: "begun" },
    ],
  });
});

test("[R4] marks a step that leaves nothing in the session", async () => {
  const { begin, unfinished } = await setUp();
  const journal = await begin();
  await journal.step("take the file into the project", () => 1, { leavesNothing: true });
  await journal.step("make the scene", () => 2);
  expect((await unfinished())?.steps).toEqual([
    { label: "take the file into the project", state: "done", outcome: 1, leavesNothing: true },
    { label: "make the scene", state: "done", outcome: 2 },
  ]);
});

test("[R4] a resumed run has all its steps, those before the crash first", async () => {
  const { begin, unfinished } = await setUp();
  await (await begin()).step("make the scene", () => 1);
  const second = await begin();
  await second.step("make the track", () => 2);
  await second.step("make the clip", () => 3);
  const labels = (await unfinished())?.steps.map(({ label }) => label);
  expect(labels).toEqual(["make the scene", "make the track", "make the clip"]);
});

test("[R4] a finished or undone run leaves nothing to resume", async () => {
  const { begin, read, unfinished } = await setUp();
  const undone = await begin();
  await undone.step("make the scene", () => 1);
  undone.recordUnfinished();
  expect(await unfinished()).toEqual({ runId: "run-1", steps: [] });
  const ended = await begin();
  await ended.step("make the scene", () => 1);
  ended.noteEnd("partial");
  expect((await read()).unfinished.size).toBe(0);
});

test("[R4] keeps unfinished runs per host", async () => {
  const { begin, unfinished } = await setUp();
  await (await begin("run-live", "live")).step("make the scene", () => 1);
  const preview = await begin("run-preview", "preview");
  await preview.step("make the scene", () => 1);
  preview.noteEnd("imported");
  expect((await unfinished("live"))?.runId).toBe("run-live");
  expect((await unfinished("live"))?.steps).toHaveLength(1);
  expect(await unfinished("preview")).toBeUndefined();
});

test.each([
  ["imported", true],
  ["partial", true],
  ["failed", false],
] as const)("[R5] a package whose run ended %s counts as imported: %s", async (status, is) => {
  const { begin, read } = await setUp();
  expect((await read()).importedInto.has("live")).toBe(false);
  (await begin()).noteEnd(status);
  expect((await read()).importedInto.has("live")).toBe(is);
  await begin("run-2");
  expect((await read()).importedInto.has("live")).toBe(is);
});

describe("a damaged journal", () => {
  test("[R4] loses the broken line only", async () => {
    const { file, begin, unfinished } = await setUp();
    await (await begin()).step("make the scene", () => 1);
    await appendFile(file, '{"kind":"step","st');
    await (await begin()).step("make the track", () => 2);
    expect((await unfinished())?.steps.map(({ label }) => label)).toEqual([
      "make the scene",
      "make the track",
    ]);
  });

  test.each([
    "",
    "\n\n",
    "null\n7\n",
    '{"kind":"step"}\n{"kind":"done","step":1}\n',
    "\u0000\u0000",
  ])("[R4] can be read: %j", async (text) => {
    const { file, begin, read } = await setUp();
    await begin();
    await writeFile(file, text);
    expect((await read()).unfinished.size).toBe(0);
  });
});

describe("a step that the host refuses", () => {
  test.each([
    [undefined, "Live couldn't make the track Kick (Looper)."],
    [
      new Error("the Set is locked."),
      "Live couldn't make the track Kick (Looper): the Set is locked.",
    ],
    ["just text", "Live couldn't make the track Kick (Looper)."],
  ])("[R4] throws a sentence with its label: %s", async (reason, sentence) => {
    const journal = await (await setUp()).begin();
    const act = () => Promise.reject(reason);
    const error = await journal.step("make the track Kick (Looper)", act).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(HostStepError);
    expect(error).toMatchObject({ message: sentence, cause: reason });
  });

  test("[R4] may also throw synchronously", async () => {
    const journal = await (await setUp()).begin();
    const act = (): never => {
      throw new Error("no");
    };
    await expect(journal.step("make it", act)).rejects.toThrow("Live couldn't make it: no.");
  });
});

test("[R4] any package id makes a file in the folder", async () => {
  const { folder, open } = await setUp();
  for (const id of ["../../evil", "CON", "a/b", "pkg_a", "__proto__"]) {
    const run = { runId: "r", hostName: "live", title: "Kit", earlier: [] };
    (await open().begin(id, run)).noteEnd("imported");
    expect((await open().read(id)).importedInto.has("live")).toBe(true);
  }
  expect(readdirSync(folder)).toHaveLength(5);
  expect(readdirSync(join(folder, ".."))).toEqual(["runs"]);
});

test("[R4] a run that is undone says when, and what it leaves of an earlier one", async () => {
  const { file, begin } = await setUp();
  const journal = await begin();
  journal.recordUnfinished();
  journal.recordUnfinished({ keepsEarlier: true });
  const at = "2026-11-21T00:00:00.000Z";
  expect((await stepsOf(file)).slice(-2)).toEqual([
    { kind: "undone", at },
    { kind: "undone", at, keeps_earlier: true },
  ]);
});

test.skipIf(process.platform === "win32")("[R4] only the user can read a journal", async () => {
  const { file, begin } = await setUp();
  await begin();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("[R4] only the last full stop of the host's reason goes", async () => {
  const journal = await (await setUp()).begin();
  const act = () => Promise.reject(new Error("No. Not v1.2."));
  await expect(journal.step("make it", act)).rejects.toThrow("couldn't make it: No. Not v1.2.");
});

test("[R4] a reported run is over even if a power cut tore its last line", async () => {
  const { folder, file, begin, read } = await setUp();
  const reported = {
    run_id: "run-1",
    host: "live",
    title: "Kit",
    end: { kind: "end", status: "imported", at: "2026-11-21T00:00:00.000Z" },
  };
  const journals = new Journals(
    folder,
    () => 0,
    () => Promise.resolve(reported),
  );
  await (await begin()).step("make the scene", () => 1);
  await appendFile(file, '{"kind":"end","sta');
  await journals.endReported("pkg_a");
  const { importedInto, unfinished } = await read();
  expect([[...importedInto], unfinished.size]).toEqual([["live"], 0]);
});
