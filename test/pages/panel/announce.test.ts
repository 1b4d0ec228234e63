import { expect, test } from "vitest";
import { announceChange, announceLive } from "../../../pages/panel/text/announce.ts";
import type { PanelState, PanelLive } from "../../../core/protocol/panel-api.ts";
import { cannedOutcome, readCannedPackage } from "../../../scripts/pictures/canned-package.ts";
import { FRESH, OFFLINE, PAIRED } from "../../../scripts/pictures/canned-states.ts";
import { SAVED_AS_FILES } from "../../../core/protocol/package-status.ts";
import { isLiveReady, liveStepsOf } from "../../../pages/panel/text/format-live.ts";
import { LIVE_READY, LIVE_UNSET } from "../../../scripts/pictures/canned-live.ts";

const kit = await readCannedPackage("one-shot-kit");
const { packageId, title } = kit.offered;

function fetching(doneBytes: number): PanelState {
  const progress = { phase: "fetching", doneBytes, totalBytes: 100 } as const;
  return { ...FRESH, runs: [{ packageId, title, progress, sounds: {} }] };
}

test("[N3] announces arrivals, new apps, results and the connection, each once", () => {
  expect(announceChange(FRESH, FRESH)).toEqual([]);
  expect(announceChange(FRESH, OFFLINE)).toEqual(["No connection to the relay."]);
  expect(announceChange(OFFLINE, FRESH)).toEqual(["Connected to the relay."]);
  const paired = { ...FRESH, apps: PAIRED.apps.slice(0, 1) };
  expect(announceChange(FRESH, paired)).toEqual(["Paired with Pocket Studio."]);
  const arrived = { ...FRESH, packages: [kit.offered] };
  expect(announceChange(FRESH, arrived)).toEqual(["New package from Spoon & Kettle: Kitchen Kit."]);
  expect(announceChange(arrived, arrived)).toEqual([]);
  const hidden = { ...FRESH, packages: [{ ...kit.offered, isDismissed: true }] };
  expect(announceChange(arrived, hidden)).toEqual(["Kitchen Kit was dismissed."]);
  expect(announceChange(hidden, hidden)).toEqual([]);
  const at = "2026-11-21T12:00:00.000Z";
  const done = {
    ...FRESH,
    finished: [{ packageId, title, at, result: { outcome: cannedOutcome(kit) } }],
  };
  expect(announceChange(FRESH, done)).toEqual(["Kitchen Kit: All 10 sounds imported."]);
});

test("[N22] announces sounds that were only saved as saved", () => {
  const notes = [SAVED_AS_FILES];
  const failed = { 0: { error: "No such clip." } };
  const said = (otherwise: Parameters<typeof cannedOutcome>[1]) => {
    const all = kit.layout.tracks.map((_, index) => [index, { holds: {}, notes }] as const);
    const outcome = cannedOutcome(kit, { ...Object.fromEntries(all), ...otherwise });
    const at = "2026-11-21T12:00:00.000Z";
    return announceChange(FRESH, {
      ...FRESH,
      finished: [{ packageId, title, at, result: { outcome } }],
    });
  };
  expect(said({})).toEqual(["Kitchen Kit: All 10 sounds saved."]);
  expect(said(failed)).toEqual(["Kitchen Kit: 9 of 10 sounds saved."]);
  expect(said({ 1: { holds: {}, notes: [] } })).toEqual(["Kitchen Kit: All 10 sounds imported."]);
});

test("[R7] announces another host's import with its name", () => {
  const at = "2026-11-21T12:00:00.000Z";
  const run = { packageId, title, at, result: { outcome: cannedOutcome(kit) } };
  const intoHost = (otherHost: string) =>
    announceChange(FRESH, { ...FRESH, finished: [{ ...run, otherHost }] });
  expect(intoHost("dawproject")).toEqual([
    "Kitchen Kit: All 10 sounds imported into a DAWproject.",
  ]);
  expect(intoHost("mixer")).toEqual(["Kitchen Kit: All 10 sounds imported into mixer."]);
});

test("[R7] distinguishes two runs of a package at two hosts", () => {
  const [own] = fetching(10).runs;
  const waits = { packageId, title, otherHost: "dawproject", progress: null, sounds: {} };
  const runs = own === undefined ? [] : [own, waits];
  expect(announceChange(fetching(10), { ...FRESH, runs })).toEqual([]);
});

test("announces progress in quarters", () => {
  const reported = (from: number, to: number) => announceChange(fetching(from), fetching(to));
  expect(announceChange(FRESH, fetching(0))).toEqual(["Importing Kitchen Kit."]);
  expect(reported(1, 24)).toEqual([]);
  expect(reported(24, 25)).toEqual(["Kitchen Kit: 25 % fetched."]);
  expect(reported(25, 80)).toEqual(["Kitchen Kit: 75 % fetched."]);
  expect(reported(99, 100)).toEqual([]);
});

test("[R1] announces a lost connection once, and says why a run was given up", () => {
  const progress = { phase: "retrying", secondsLeft: 300, doneBytes: 30, totalBytes: 100 } as const;
  const retrying = { ...FRESH, runs: [{ packageId, title, progress, sounds: {} }] };
  const lost = ["Kitchen Kit: the connection was lost. Trying again."];
  expect(announceChange(fetching(30), retrying)).toEqual(lost);
  expect(announceChange(retrying, retrying)).toEqual([]);
  expect(announceChange(retrying, fetching(30))).toEqual([]);
  const at = "2026-11-21T12:00:00.000Z";
  const result = { error: "The importer's own words.", code: "CONNECTION_LOST" as const };
  const given = { ...FRESH, finished: [{ packageId, title, at, result }] };
  expect(announceChange(FRESH, given)).toEqual([
    "Kitchen Kit: The connection was lost. Nothing was placed. Import again to continue.",
  ]);
});

/** The steps' states, and the button of the first. */
function statesOf(live: PanelLive): string {
  const steps = liveStepsOf(live);
  return [...steps.map(({ state }) => state), steps[0]?.button ?? "no button"].join(", ");
}

test("[H20] the steps turn to done one after the other", () => {
  expect(statesOf(LIVE_UNSET)).toBe("open, open, open, Install");
  expect(statesOf({ ...LIVE_UNSET, script: "current" })).toBe("done, open, open, no button");
  expect(statesOf(LIVE_READY)).toBe("done, done, done, no button");
  expect([LIVE_UNSET, LIVE_READY].map(isLiveReady)).toEqual([false, true]);
});

test("[H20] an old or changed script, and one that Live still runs, keep the steps open", () => {
  const old: PanelLive = { ...LIVE_READY, script: "old" };
  expect([isLiveReady(old), statesOf(old)]).toEqual([false, "wrong, done, open, Update"]);
  expect(statesOf({ ...LIVE_UNSET, script: "changed" })).toBe("wrong, open, open, Install again");
  const running: PanelLive = { ...LIVE_READY, answers: false, mustRestart: true };
  expect([isLiveReady(running), statesOf(running)]).toEqual([
    false,
    "done, wrong, done, no button",
  ]);
});

test("[H20] where the script can't be installed, the step says what to do instead", () => {
  const unable: PanelLive = { ...LIVE_UNSET, canInstall: false, libraryName: null };
  for (const [script, words] of [
    ["no-library", "SOUNDFERRY_LIVE_LIBRARY"],
    ["unknown", "soundferry live install"],
    ["foreign", "Move it away first."],
  ] as const) {
    const [step] = liveStepsOf({ ...unable, script });
    expect(step?.text).toContain(words);
    expect(step?.button).toBeUndefined();
  }
  const [troubled] = liveStepsOf({ ...unable, script: "unknown", trouble: "It can't be read." });
  expect(troubled).toMatchObject({ state: "wrong", text: "It can't be read." });
});

test("[H20] a script that answers needs no library to be found", () => {
  const answering: PanelLive = { ...LIVE_READY, libraryName: null, canInstall: false };
  for (const script of ["unknown", "no-library"] as const) {
    expect(isLiveReady({ ...answering, script })).toBe(true);
    expect(statesOf({ ...answering, script })).toBe("done, done, done, no button");
  }
});

test("[N3][H20] announces that Live begins to answer, and stops", () => {
  const unset = { ...FRESH, live: LIVE_UNSET };
  const ready = { ...FRESH, live: LIVE_READY };
  expect(announceLive(unset, ready)).toEqual(["Live 12.1.5 Standard answers."]);
  expect(announceLive(ready, unset)).toEqual(["Live doesn’t answer any more."]);
  expect(announceLive(ready, ready)).toEqual([]);
  expect(announceLive(FRESH, ready)).toEqual([]);
});
