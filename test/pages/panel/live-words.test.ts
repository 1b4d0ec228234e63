import { expect, test } from "vitest";
import { announceLive } from "../../../pages/panel/text/announce.ts";
import { isLiveReady, liveStepsOf } from "../../../pages/panel/text/format-live.ts";
import type { PanelLive } from "../../../core/protocol/panel-api.ts";
import { LIVE_READY, LIVE_UNSET } from "../../../scripts/pictures/canned-live.ts";
import { FRESH } from "../../../scripts/pictures/canned-states.ts";

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
