import { mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Journals } from "../../../addon/runs/journal.ts";
import { readJournalText, shortenJournal } from "../../../addon/runs/journal-lines.ts";
import { gatedHost } from "../paused-host.ts";
import { importerAtWork } from "../importer-at-work.ts";
import { startStandIn } from "../relay/linked-client.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { until } from "../../sim/until.ts";

const NOW_MS = Date.UTC(2026, 10, 21);
const DAY_MS = 86_400_000;
const LOCAL = `local_${"0".repeat(32)}`;

async function setUp() {
  const folder = join(await temporaryFolder(), "runs");
  await mkdir(folder);
  const journals = () => new Journals(folder, () => NOW_MS);
  const begin = (packageId: string, runId: string, hostName = "live") =>
    journals().begin(packageId, { runId, hostName, title: "Kit", earlier: [] });
  const fileOf = (packageId: string) => join(folder, `${packageId}.jsonl`);
  const age = async (name: string, days: number) => {
    const at = new Date(NOW_MS - days * DAY_MS);
    await utimes(join(folder, name), at, at);
  };
  return { folder, journals, begin, fileOf, age };
}

/** Imports a package to the end, several times. */
async function importTimes(
  { begin }: Awaited<ReturnType<typeof setUp>>,
  packageId: string,
  times: number,
): Promise<void> {
  for (let time = 1; time <= times; time += 1) {
    const journal = await begin(packageId, `run-${time}`);
    await journal.step("make the scene", () => time);
    journal.noteEnd("imported");
  }
}

/** Reads a journal without the numbers of its steps. */
function readingOf(text: string) {
  const { importedInto, unfinished } = readJournalText(text);
  const runs = [...unfinished].map(
    ([host, { runId, steps }]) => [host, { runId, steps: Object.values(steps) }] as const,
  );
  return { importedInto, runs: new Map(runs) };
}

const step = fc.integer({ min: 1, max: 4 });
const line = fc.oneof(
  fc.record({
    kind: fc.constant("begin"),
    run_id: fc.constantFrom("a", "b"),
    host: fc.constantFrom("live", "preview"),
    title: fc.constant("Kit"),
  }),
  fc.record({ kind: fc.constant("step"), step, label: fc.string() }),
  fc.record({ kind: fc.constant("step"), step, label: fc.string(), leaves_nothing: fc.boolean() }),
  fc.record({ kind: fc.constant("done"), step, outcome: fc.constantFrom("x", 7, false, null) }),
  fc.record({ kind: fc.constant("failed"), step }),
  fc.constant({ kind: "undone" }),
  fc.record({ kind: fc.constant("end"), status: fc.constantFrom("imported", "partial", "failed") }),
);
const text = fc
  .array(line, { maxLength: 30 })
  .map((lines) => lines.map((each) => `${JSON.stringify(each)}\n`).join(""));

describe("a compacted journal", () => {
  test("[R8] reads the same, also after lines are appended", () => {
    const begin = '{"kind":"begin","run_id":"a","host":"live","title":"Kit"}\n';
    fc.assert(
      fc.property(text, text, (before, after) => {
        const whole = begin + before;
        const short = shortenJournal(whole, NOW_MS);
        expect(readingOf(short)).toEqual(readingOf(whole));
        expect(readingOf(short + begin + after)).toEqual(readingOf(whole + begin + after));
        expect(shortenJournal(short, NOW_MS)).toBe(short);
      }),
    );
  });

  test("[R8] a failed step has no outcome, even if one was recorded before", () => {
    const text =
      '{"kind":"begin","run_id":"a","host":"live","title":"Kit"}\n{"kind":"step","step":1,"label":""}\n' +
      '{"kind":"done","step":1,"outcome":"x"}\n{"kind":"failed","step":1}\n';
    expect(readingOf(shortenJournal(text, NOW_MS))).toEqual(readingOf(text));
  });

  test("[R8] is where each run starts: many imports take no more space than two", async () => {
    const options = await setUp();
    await importTimes(options, LOCAL, 2);
    const { length } = await readFile(options.fileOf(LOCAL), "utf8");
    await importTimes(options, LOCAL, 9);
    expect(await readFile(options.fileOf(LOCAL), "utf8")).toHaveLength(length);
  });
});

describe("journals last written 90 days ago", () => {
  test("[R8] removes a relay package's journal, unless a run is unfinished", async () => {
    const options = await setUp();
    const { begin, journals, age, folder } = options;
    await importTimes(options, "pkg_old", 1);
    await importTimes(options, "pkg_young", 1);
    (await begin("pkg_called-off", "run-1")).recordUnfinished();
    await (await begin("pkg_half", "run-1")).step("make the scene", () => 1);
    for (const id of ["old", "called-off", "half"]) await age(`pkg_${id}.jsonl`, 90);
    await age("pkg_young.jsonl", 89);
    await journals().prune();
    expect((await readdir(folder)).sort()).toEqual(["pkg_half.jsonl", "pkg_young.jsonl"]);
    const { unfinished } = await journals().read("pkg_half");
    expect(unfinished.get("live")?.steps).toHaveLength(1);
  });

  test("[R5][R8] keeps a local package as imported at its hosts", async () => {
    const options = await setUp();
    const { begin, journals, age, fileOf } = options;
    await importTimes(options, LOCAL, 1);
    await (await begin(LOCAL, "run-2", "preview")).step("make the scene", () => 7);
    const { length } = await readFile(fileOf(LOCAL), "utf8");
    await importTimes(options, LOCAL, 1);
    const before = await journals().read(LOCAL);
    await age(`${LOCAL}.jsonl`, 400);
    await journals().prune();
    expect((await readFile(fileOf(LOCAL), "utf8")).length).toBeLessThanOrEqual(length);
    const after = await journals().read(LOCAL);
    expect(after.importedInto).toEqual(before.importedInto);
    expect(after.unfinished).toEqual(before.unfinished);
    expect(after.title).toBe("Kit");
  });

  test("[R5][R8] keeps a local package's journal, also without an unfinished run", async () => {
    const options = await setUp();
    await importTimes(options, LOCAL, 1);
    await options.age(`${LOCAL}.jsonl`, 400);
    await options.journals().prune();
    const { importedInto } = await options.journals().read(LOCAL);
    expect([...importedInto]).toEqual(["live"]);
  });

  test("[F10][R8] keeps the journal of a saved package, which can still be imported", async () => {
    const options = await setUp();
    await importTimes(options, "pkg_saved", 3);
    await importTimes(options, "pkg_gone", 1);
    for (const id of ["saved", "gone"]) await options.age(`pkg_${id}.jsonl`, 400);
    await options.journals().prune(["pkg_saved"]);
    expect(await readdir(options.folder)).toEqual(["pkg_saved.jsonl"]);
    expect([...(await options.journals().read("pkg_saved")).importedInto]).toEqual(["live"]);
  });

  test("[R8] a crash while pruning leaves each journal intact, and the next start prunes again", async () => {
    const options = await setUp();
    const { journals, age, folder, fileOf } = options;
    await importTimes(options, LOCAL, 1);
    await writeFile(`${fileOf(LOCAL)}.new`, '{"kind":"begin","run_');
    await writeFile(`${fileOf("pkg_gone")}.new`, "");
    await writeFile(`${fileOf("local_gone")}.new`, '{"kind":"begin","run_');
    for (const name of await readdir(folder)) await age(name, 90);
    expect((await journals().read(LOCAL)).importedInto).toEqual(new Set(["live"]));
    await journals().prune();
    expect(await readdir(folder)).toEqual([`${LOCAL}.jsonl`]);
    expect((await journals().read(LOCAL)).importedInto).toEqual(new Set(["live"]));
  });

  test("[R8] a journal that can't be pruned stays without affecting others, and a missing folder is fine", async () => {
    const options = await setUp();
    const { journals, age, folder } = options;
    await mkdir(join(folder, "pkg_a folder.jsonl"));
    await importTimes(options, LOCAL, 1);
    await importTimes(options, "pkg_z", 1);
    await mkdir(join(folder, `${LOCAL}.jsonl.new`));
    for (const name of [`${LOCAL}.jsonl`, "pkg_z.jsonl"]) await age(name, 90);
    await journals().prune();
    expect(await readdir(folder)).not.toContain("pkg_z.jsonl");
    await new Journals(join(folder, "none"), () => NOW_MS).prune();
  });
});

test("[R8] a journal that can't be shorter is not written again", async () => {
  const { begin, journals, age, fileOf } = await setUp();
  await (await begin(LOCAL, "run-1")).step("make the scene", () => 1);
  await age(`${LOCAL}.jsonl`, 90);
  const { ino } = await stat(fileOf(LOCAL));
  await journals().prune();
  expect((await stat(fileOf(LOCAL))).ino).toBe(ino);
});

test("[R8] a folder of journals that can't be read is no empty one", async () => {
  const file = join(await temporaryFolder(), "runs");
  await writeFile(file, "");
  await expect(new Journals(file, () => NOW_MS).prune()).rejects.toThrow("ENOTDIR");
});

test("[R8] an importer prunes at its start, never during a run", async () => {
  const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
  const gate = gatedHost();
  const { importer, settings } = await importerAtWork(relay.url, { more: { host: gate.host } });
  const runs = join(settings.dataFolder, "runs");
  const importing = importer.import("pkg_1_____________________");
  await gate.reached;
  await writeFile(join(runs, "pkg_old.jsonl"), '{"kind":"begin"}\n');
  for (const name of await readdir(runs)) await utimes(join(runs, name), new Date(0), new Date(0));
  await importer.start();
  await until(() => importer.state.connection.status === "connected");
  expect(await readdir(runs)).toEqual(["pkg_1_____________________.jsonl", "pkg_old.jsonl"]);
  gate.open();
  await importing;
  await importer.clearKeptFiles();
  expect(await readdir(runs)).toEqual(["pkg_1_____________________.jsonl"]);
  const { importedInto } = await new Journals(runs, Date.now).read("pkg_1_____________________");
  expect(importedInto).toEqual(new Set(["gated"]));
});
