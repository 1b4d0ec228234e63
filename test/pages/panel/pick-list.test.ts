import { describe, expect, test } from "vitest";
import { ALL_PACKAGES, type PickFilter } from "../../../pages/panel/packages/pick-filter.ts";
import {
  followPickList,
  openPickList,
  type PickList,
  rowsOf,
} from "../../../pages/panel/packages/pick-list.ts";
import { rowStatusOf, soundResultsOf } from "../../../pages/panel/packages/pick-row.ts";
import type {
  PanelFinishedRun,
  PanelPackage,
  PanelState,
} from "../../../core/protocol/panel-api.ts";
import { cannedOutcome, readCannedPackage } from "../../../scripts/pictures/canned-package.ts";
import { PAIRED } from "../../../scripts/pictures/canned-states.ts";

const kit = await readCannedPackage("one-shot-kit");
const bass = await readCannedPackage("bass-lines");
const { offered } = kit;
const { packageId, title } = offered;
const at = "2026-11-21T12:00:00.000Z";
const failure = { error: "The import was cancelled.", code: "CANCELLED" as const };
const done = { outcome: cannedOutcome(kit, { 2: { error: "Live would not make the clip." } }) };
const run = { packageId, title, progress: null, sounds: {} };
const inbox = { ...offered, origin: "inbox" } as const;

function finished(result: PanelFinishedRun["result"]): PanelFinishedRun {
  return { packageId, title, at, result };
}

function stateWith(change: Partial<PanelState>): PanelState {
  return { ...PAIRED, ...change };
}

/** Keys and statuses. */
function rows(change: Partial<PanelState>): readonly string[] {
  return rowsOf(stateWith(change)).map((row) => `${row.key} ${rowStatusOf(row)}`);
}

test.each<[string, Partial<PanelState>, string]>([
  ["waits", { packages: [offered] }, "waiting"],
  ["failed", { packages: [offered], finished: [finished(failure)] }, "failed"],
  ["runs", { packages: [offered], runs: [run], finished: [finished(failure)] }, "running"],
  ["runs without its package", { runs: [run] }, "running"],
  [
    "is done",
    { packages: [{ ...offered, status: "partial" }], finished: [finished(done)] },
    "done",
  ],
  [
    "is done while its app has not heard of it",
    { packages: [offered], finished: [finished(done)] },
    "done",
  ],
  ["is done and gone", { finished: [finished(done)] }, "done"],
  ["is done elsewhere", { packages: [{ ...offered, status: "imported", results: {} }] }, "done"],
  ["is dismissed", { packages: [{ ...offered, isDismissed: true }] }, "dismissed"],
  ["has expired", { packages: [{ ...offered, status: "expired" }] }, "expired"],
  ["is no package", { packages: [{ packageId, title, error: "No manifest." }] }, "unusable"],
  ["was changed in the inbox", { packages: [inbox], finished: [finished(done)] }, "waiting"],
])("a package that %s is one row", (_, change, status) => {
  expect(rows(change)).toEqual([`${packageId} ${status}`]);
});

test("only the last result of a package counts", () => {
  const [row] = rowsOf(stateWith({ finished: [finished(done), finished(failure)] }));
  expect(row?.past).toEqual({ at, result: done });
});

test("[R7] an import into another host is a row of its own, and offers what waits nowhere else", () => {
  const elsewhere = { ...finished(failure), otherHost: "dawproject" };
  const key = `${packageId}-dawproject`;
  expect(rows({ packages: [offered], finished: [elsewhere] })).toEqual([
    `${packageId} waiting`,
    `${key} done`,
  ]);
  const imported = { ...offered, status: "imported", results: {} } as const;
  const alone = rowsOf(stateWith({ packages: [imported], finished: [elsewhere] }));
  expect(alone).toMatchObject([{ key, offered: imported }]);
  const both = { packages: [imported], finished: [elsewhere, finished(done)] };
  expect(rows(both)).toEqual([`${packageId} done`, `${key} done`]);
  const runs = [run, { ...run, otherHost: "dawproject" }];
  expect(rows({ runs })).toEqual([`${packageId} running`, `${key} running`]);
});

test("[N13] packages are listed oldest first, and what is over newest first", () => {
  const packages: readonly PanelPackage[] = [bass.offered, offered];
  const keys = (state: PanelState, view: "waiting" | "history") =>
    openPickList(view, state).rows.map(({ key }) => key);
  expect(keys(stateWith({ packages }), "waiting")).toEqual([packageId, bass.offered.packageId]);
  const later = { ...finished(done), packageId: "pkg_later", at: "2026-11-21T13:00:00.000Z" };
  const over = stateWith({ packages, finished: [later, finished(done)] });
  expect(keys(over, "history")).toEqual(["pkg_later", packageId]);
  expect(keys(over, "waiting")).toEqual([bass.offered.packageId]);
});

test("[N13] a row keeps its place while it is imported, is done, is dismissed, or goes; new ones are appended", () => {
  const first = stateWith({ packages: [bass.offered, offered] });
  let list = openPickList("waiting", first);
  const follow = (change: Partial<PanelState>): readonly string[] => {
    list = followPickList(list, stateWith(change));
    return list.rows.map((row) => `${row.key} ${rowStatusOf(row)}`);
  };
  const other = bass.offered.packageId;
  expect(follow({ packages: [bass.offered, offered], runs: [run] })).toEqual([
    `${packageId} running`,
    `${other} waiting`,
  ]);
  const imported = { ...offered, status: "imported" } as const;
  const dismissed = { ...bass.offered, isDismissed: true };
  const arrived = { ...offered, packageId: "pkg_new" };
  expect(follow({ packages: [arrived, dismissed, imported], finished: [finished(done)] })).toEqual([
    `${packageId} done`,
    `${other} dismissed`,
    "pkg_new waiting",
  ]);
  expect(follow({ packages: [] })).toEqual([`${packageId} done`, `${other} gone`, "pkg_new gone"]);
});

describe("a long list", () => {
  const { packageId: bassId } = bass.offered;
  /** Newest first. */
  const many = Array.from({ length: 11 }, (_, index): PanelPackage => {
    const app = index % 2 === 0 ? "Looper" : "Breakyard";
    return { ...offered, packageId: `pkg_${index}`, title: `Kit ${index}`, appName: app };
  });
  const keysOf = ({ rows: listed }: PickList) => listed.map(({ key }) => key);
  const found = (filter: Partial<PickFilter>, change: Partial<PanelState> = {}) =>
    keysOf(
      openPickList("waiting", stateWith({ packages: many, ...change }), {
        filter: { ...ALL_PACKAGES, ...filter },
      }),
    );

  test("[N24] comes newest first and is searched from 11 packages on", () => {
    expect(openPickList("waiting", stateWith({ packages: many }))).toMatchObject({
      isLong: true,
      rows: many.map(({ packageId: key }) => ({ key })),
    });
    const short = openPickList("waiting", stateWith({ packages: many.slice(1) }));
    expect(short.isLong).toBe(false);
    expect(keysOf(short)[0]).toBe("pkg_10");
  });

  test("[N24] stays as it is while it is open, whatever arrives or matches no longer", () => {
    const short = openPickList("waiting", stateWith({ packages: many.slice(1) }));
    const grown = followPickList(short, stateWith({ packages: many }));
    expect([grown.isLong, keysOf(grown).at(-1)]).toEqual([false, "pkg_0"]);

    const filter = { ...ALL_PACKAGES, text: "kit 1" };
    let list = openPickList("waiting", stateWith({ packages: many }), { filter });
    expect(keysOf(list)).toEqual(["pkg_1", "pkg_10"]);
    const named = (name: string) => ({ ...offered, packageId: name, title: name });
    const packages = [named("Kit 12"), named("Bass"), ...many.slice(2)];
    list = followPickList(list, stateWith({ packages }));
    expect(keysOf(list)).toEqual(["pkg_1", "pkg_10", "Kit 12"]);
    const { isLong } = list;
    list = openPickList("waiting", stateWith({ packages: many.slice(5) }), { isLong });
    expect([list.isLong, list.rows.length]).toEqual([true, 6]);
  });

  test("[N24] is opened again where nothing was listed, because nothing can move", () => {
    const empty = openPickList("waiting", stateWith({ packages: [] }));
    const list = followPickList(empty, stateWith({ packages: many }));
    expect([list.isLong, keysOf(list)[0], list.opened.count]).toEqual([true, "pkg_0", 11]);
  });

  test("[N24] is searched by title, sender and sound, all words, in any case", () => {
    expect(found({ text: "KIT 10" })).toEqual(["pkg_10"]);
    expect(found({ text: "breakyard 3" })).toEqual(["pkg_3"]);
    const packages = [bass.offered, ...many];
    const [sound] = bass.offered.sounds;
    expect(found({ text: sound?.name.toUpperCase() ?? "" }, { packages })).toEqual([bassId]);
    expect(found({ text: "  " })).toHaveLength(11);
    expect(found({ text: "kit nothing" })).toEqual([]);
  });

  test("[N24] is filtered by sender, and by what is new, imported or has a problem", () => {
    expect(found({ app: "Breakyard" })).toEqual(["pkg_1", "pkg_3", "pkg_5", "pkg_7", "pkg_9"]);
    const error = { error: "The disk is full.", code: null };
    const change: Partial<PanelState> = {
      packages: [{ packageId: "broken", title: "Broken", error: "No manifest." }, ...many],
      finished: [
        { packageId: "pkg_1", title: "Kit 1", at, result: error },
        { packageId: "pkg_2", title: "Kit 2", at, result: failure },
      ],
      runs: [{ ...run, packageId: "pkg_3", title: "Kit 3" }],
    };
    expect(found({ kind: "problems" }, change)).toEqual(["broken", "pkg_1"]);
    expect(found({ kind: "new" }, change)).toEqual(many.map((one) => one.packageId));
    expect(found({ kind: "imported" }, change)).toEqual([]);
  });

  test("[N24] in the history, a choice of sounds is no problem; a difference and a failure are", () => {
    const history = (kind: PickFilter["kind"], result: PanelFinishedRun["result"]) =>
      openPickList("history", stateWith({ packages: [], finished: [finished(result)] }), {
        filter: { ...ALL_PACKAGES, kind },
      }).rows.length;
    const chosen = cannedOutcome(kit, { 0: { error: "Not selected in Live." } });
    const tracks = chosen.tracks.map((track) =>
      track.error === null ? track : Object.assign({}, track, { status: "skipped" }),
    );
    expect(history("problems", { outcome: { ...chosen, tracks } })).toBe(0);
    expect(history("imported", { outcome: { ...chosen, tracks } })).toBe(1);
    expect(history("problems", done)).toBe(1);
    expect(history("problems", { outcome: cannedOutcome(kit) })).toBe(0);
  });
});

test("what only the relay remembers is shown; a sound that it does not name has failed", () => {
  const [first] = offered.sounds;
  const results = { [first?.id ?? ""]: { status: "imported", track: "Kick" } } as const;
  const [row] = rowsOf(stateWith({ packages: [{ ...offered, status: "partial", results }] }));
  const sounds = row === undefined ? [] : soundResultsOf(row);
  expect(sounds).toHaveLength(offered.sounds.length);
  expect(sounds[0]).toMatchObject({ name: "Kick Deep", status: "imported" });
  expect(sounds[1]).toMatchObject({
    status: "failed",
    error: expect.stringContaining("No result"),
  });
});

test("a run's outcome follows from its tracks", () => {
  const [row] = rowsOf(stateWith({ finished: [finished(done)] }));
  const sounds = row === undefined ? [] : soundResultsOf(row);
  expect(sounds[2]).toMatchObject({ status: "failed", error: "Live would not make the clip." });
  expect(sounds.filter(({ status }) => status === "imported")).toHaveLength(9);
});
