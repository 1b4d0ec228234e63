import { describe, expect, test } from "vitest";
import { readJournalText, shortenJournal } from "../../../addon/runs/journal-lines.ts";

const NOW_MS = Date.UTC(2026, 10, 21);
const at = "2026-11-21T00:00:00.000Z";

function textOf(...lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

function begin(run_id: string, host = "live", title: unknown = "Kit") {
  return { kind: "begin", run_id, host, title, at };
}

const step = (number: number, label: string) => ({ kind: "step", step: number, label });
const stepsOf = (text: string) => readJournalText(text).unfinished.get("live")?.steps;

test("[R18] a later look replaces results of a host, which keeps its place among the hosts", () => {
  const imported = { status: "imported" };
  const amended = { status: "imported", notes: ["Later."] };
  const results = { 1: imported, 2: imported };
  const text = textOf(
    begin("a"),
    { kind: "end", status: "imported", at, results },
    begin("b", "preview"),
    { kind: "end", status: "imported", at, results: { 1: imported } },
    begin("c", "preview"),
    { kind: "amended", host: "live", at, results: { 2: amended } },
    step(1, "make the scene"),
    // Nothing is known of a host without a run.
    { kind: "amended", host: "dawproject", at, results: { 2: amended } },
  );
  for (const each of [text, shortenJournal(text, NOW_MS)]) {
    const record = readJournalText(each);
    expect([...record.results.keys()]).toEqual(["live", "preview"]);
    expect(Object.fromEntries(record.results.get("live") ?? [])).toEqual({
      1: imported,
      2: amended,
    });
    expect(record.unfinished.get("preview")?.steps).toHaveLength(1);
  }
});

test("[F10][R8] the relay that gets the reports is the last one that a run named, also in a shortened journal", () => {
  const reported = { relay: "https://relay.example/", device: "dev_1" };
  const end = { kind: "end", status: "partial", at };
  const text = textOf(
    { ...begin("a"), relay: "https://old.example/" },
    end,
    { ...begin("b"), ...reported },
    end,
    begin("c", "folder"),
    end,
    begin("d", "preview"),
  );
  const reportsTo = { relayUrl: reported.relay, deviceId: reported.device };
  expect(readJournalText(text).reportsTo).toEqual(reportsTo);
  const short = shortenJournal(text, NOW_MS);
  expect(readJournalText(short).reportsTo).toEqual(reportsTo);
  expect(shortenJournal(short, NOW_MS)).toBe(short);
  expect(
    readJournalText(textOf(begin("a"), { ...begin("b"), relay: 7 })).reportsTo,
  ).toBeUndefined();
});

describe("a shortened journal", () => {
  test("[R8] has two lines for a host that has the package, and the steps of what is unfinished", () => {
    const text = textOf(
      begin("a"),
      step(1, "make the scene"),
      { kind: "end", status: "partial", at: "2026-01-01T00:00:00.000Z" },
      begin("b", "preview"),
      { ...step(1, "take the file"), leaves_nothing: true },
      step(2, "make the track"),
      { kind: "done", step: 2, outcome: 7 },
      step(3, "make the clip"),
      { kind: "failed", step: 3 },
      step(4, "make the scene"),
      { kind: "done", step: 4 },
      step(5, "name it"),
    );
    expect(shortenJournal(text, NOW_MS)).toBe(
      textOf(
        begin("", "live"),
        { kind: "end", status: "imported", at },
        begin("b", "preview"),
        { ...step(1, "take the file"), leaves_nothing: true },
        step(2, "make the track"),
        { kind: "done", step: 2, outcome: 7 },
        step(3, "make the clip"),
        { kind: "failed", step: 3 },
        step(4, "make the scene"),
        { kind: "done", step: 4, outcome: null },
        step(5, "name it"),
      ),
    );
  });

  test("[R8] is empty where nothing was written, and where a run only failed", () => {
    expect(shortenJournal("", NOW_MS)).toBe("");
    const failed = textOf(begin("a"), { kind: "end", status: "failed", at });
    expect(shortenJournal(failed, NOW_MS)).toBe("");
  });
});

describe("chosen sounds and their results", () => {
  const end = (results: object, more: object = {}) => ({
    kind: "end",
    status: "partial",
    at,
    results,
    ...more,
  });
  const imported = { status: "imported" };
  const failed = { status: "failed", error: "No." };
  const shown = (text: string) =>
    [...readJournalText(text).results].map(([host, results]) => [
      host,
      Object.fromEntries(results),
    ]);

  test("[R11][R8] the newest result of each sound stays, also in a shortened journal", () => {
    const text = textOf(
      begin("a"),
      end({ "1": failed, "2": imported }),
      begin("b", "file"),
      end({ "1": imported }),
      begin("c"),
      end({ "1": imported, __proto__: null, "3": "broken" }),
      begin("d", "file"),
      end({ "2": imported }, { replaces_earlier: true }),
      begin("e", "odd"),
      { ...end({ "1": failed }), status: "failed" },
    );
    const results = [
      ["live", { "1": imported, "2": imported }],
      ["file", { "2": imported }],
      ["odd", { "1": failed }],
    ];
    expect(shown(text)).toEqual(results);
    const short = shortenJournal(text, NOW_MS);
    expect(shown(short)).toEqual(results);
    expect([...readJournalText(short).importedInto].sort()).toEqual(["file", "live"]);
    expect(shortenJournal(short, NOW_MS)).toBe(short);
  });

  test("[R13][R8] an unfinished run's choice stays until a person cancels it", () => {
    const text = textOf({ ...begin("a"), sounds: ["1", "3"] }, step(1, "one"));
    const choiceIn = (journal: string) => readJournalText(journal).unfinished.get("live")?.soundIds;
    expect(choiceIn(text)).toEqual(["1", "3"]);
    expect(choiceIn(shortenJournal(text, NOW_MS))).toEqual(["1", "3"]);
    expect(choiceIn(text + textOf({ kind: "undone", at }))).toEqual(["1", "3"]);
    expect(choiceIn(text + textOf({ kind: "cancelled", at }))).toBeUndefined();
    expect(choiceIn(text + textOf({ ...begin("a"), sounds: ["2"] }))).toEqual(["2"]);
    expect(stepsOf(text + textOf({ ...begin("a"), sounds: ["2"] }))).toHaveLength(1);
    expect(choiceIn(textOf({ ...begin("a"), sounds: [1] }))).toBeUndefined();
  });
});

describe("what a journal says", () => {
  test("[R4] has the last title, or none where there is no text", () => {
    expect(readJournalText("").title).toBe("");
    expect(readJournalText(textOf(begin("a"), begin("a", "live", "Kit 2"))).title).toBe("Kit 2");
    expect(readJournalText(textOf(begin("a"), begin("a", "live", 7))).title).toBe("");
  });

  test("[R4] keeps what an earlier run left when only the later one is undone", () => {
    const text = textOf(begin("a"), step(1, "one"), begin("a"), step(1, "two"));
    const undone = { kind: "undone", at };
    const labels = (steps: ReturnType<typeof stepsOf>) => steps?.map(({ label }) => label);
    expect(labels(stepsOf(text + textOf({ ...undone, keeps_earlier: true })))).toEqual(["one"]);
    expect(labels(stepsOf(text + textOf(undone)))).toEqual([]);
    expect(labels(stepsOf(text + textOf({ ...undone, keeps_earlier: false })))).toEqual([]);
  });

  test("[R4] counts the steps of another run from the first", () => {
    const text = textOf(begin("a"), step(1, "one"), begin("b"), step(1, "two"));
    expect(readJournalText(text).unfinished.get("live")).toEqual({
      runId: "b",
      steps: [{ label: "two", state: "begun" }],
    });
  });

  test.each([
    ["x", "x"],
    [7, 7],
    [false, false],
    [null, null],
    [{ a: 1 }, null],
    [[1], null],
    [undefined, null],
  ])("[R4] has the outcome %j of a step as %j", (written, outcome) => {
    const text = textOf(begin("a"), step(1, "one"), { kind: "done", step: 1, outcome: written });
    expect(stepsOf(text)).toEqual([{ label: "one", state: "done", outcome }]);
  });

  test("[R4] leaves out the outcome of a step that never began", () => {
    expect(stepsOf(textOf(begin("a"), { kind: "done", step: 1, outcome: 7 }))).toEqual([]);
  });
});

describe("a damaged journal", () => {
  const damaged = { toString: 1, valueOf: 1 };

  test("[R4] with objects where texts should be is read without them", () => {
    const text = textOf(
      begin("a"),
      step(1, "make the scene"),
      { kind: "step", step: damaged, label: "make a track" },
      { kind: "step", step: 2, label: damaged },
      { kind: "end", status: "imported", at, results: { 1: { status: damaged } } },
      { kind: "begin", run_id: damaged, host: damaged, title: damaged, at },
    );
    const { importedInto, results, unfinished } = readJournalText(text);
    expect([...importedInto]).toEqual(["live"]);
    expect(results.size).toBe(0);
    expect([...unfinished]).toEqual([["", { runId: "", steps: [] }]]);
  });

  test.each([0, -1, 1.5, 4_294_967_294, 1e300])(
    "[R4] drops a step with the number %d",
    (number) => {
      const text = textOf(begin("a"), step(1, "make the scene"), step(number, "make a track"));
      expect(stepsOf(text)).toEqual([{ label: "make the scene", state: "begun" }]);
    },
  );
});
