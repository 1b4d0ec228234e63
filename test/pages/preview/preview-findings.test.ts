import { expect, test } from "vitest";
import type { Finding } from "../../../core/findings/finding.ts";
import { formatFinding } from "../../../core/findings/finding.ts";
import { clipRows } from "../../../pages/preview/clips/clip-rows.ts";
import { compareSides } from "../../../pages/preview/compare/compare-sides.ts";
import { isIn } from "../../../pages/preview/list/arrange-scenes.ts";
import { announceChange, sceneState } from "../../../pages/preview/list/scene-state.ts";
import { loop, READING, scene } from "./preview-scenes.ts";

const CLICK: Finding = {
  code: "CLICK",
  sound: "a",
  field: null,
  sentence: "clicks at the loop's end",
  measured: 0.4,
  threshold: 0.1,
};

const heard = (findings: readonly Finding[] | null) =>
  scene("1", { tracks: [loop("a", { notes: ["Short."] }), loop("b")], findings });

const reading = { ...heard(null), golden: READING, revision: "0" };

function statesOf(findings: readonly Finding[] | null) {
  const one = heard(findings);
  return clipRows(one, one.tracks).map(({ row }) => row.state);
}

test("[V18] a row counts what was heard among its notes, and stands out by its words", () => {
  expect(statesOf([CLICK])).toEqual([{ tone: "mixed", words: "2 notes" }, null]);
  expect(statesOf(null)).toEqual([{ tone: "quiet", words: "1 note" }, null]);
  expect(formatFinding(CLICK)).toBe("Clicks at the loop's end.");
});

test("[V18] a scene with findings is still accepted", () => {
  expect(sceneState(heard([CLICK])).words).toBe("accepted");
});

test("[V18] what is heard after the start isn't announced, but an edit is", () => {
  expect(announceChange([heard(null)], [heard([CLICK])])).toEqual([]);
  expect(announceChange([reading], [heard([CLICK])])).toEqual([]);
  expect(announceChange([reading], [{ ...heard([CLICK]), name: "Other" }])).toEqual([
    "Other changed: accepted.",
  ]);
  expect(announceChange([heard([])], [reading])).toEqual(["Scene 1 changed: reading sounds."]);
  const edited = { ...heard([CLICK]), revision: "2" };
  expect(announceChange([heard(null)], [edited])).toEqual(["Scene 1 changed: accepted."]);
});

test("[V18] a scene whose sounds are still read has no verdict, and is neither a problem nor a change", () => {
  expect(sceneState(reading)).toEqual({ tone: "quiet", words: "reading sounds…" });
  for (const filter of ["problems", "changed"] as const) {
    expect(isIn({ text: "", filter }, reading)).toBe(false);
  }
  expect(compareSides(reading).accepted).toBeNull();
});
