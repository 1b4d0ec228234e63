import { expect, test } from "vitest";
import { layoutJson } from "../../../core/layout/layout-json.ts";
import { planLayout } from "../../../core/layout/plan-layout.ts";
import { usableTracks } from "../../../core/layout/usable-tracks.ts";
import { sampleHeader, samplePackage, sampleSound } from "./sample-package.ts";

test("returns the tracks with a usable file, in the package's order", () => {
  const items = ["c", "lost", "a", "gone", "b"].map((id) => sampleSound({ id, name: id }));
  const sounds = new Map(["a", "b", "c"].map((id) => [id, sampleHeader(96_000)]));
  const layout = planLayout({ ...samplePackage(items), sounds });
  expect(usableTracks(layout).map(({ soundId }) => soundId)).toEqual(["c", "a", "b"]);
  expect(usableTracks(layoutJson(layout)).map(({ id }) => id)).toEqual(["c", "a", "b"]);
});

test("returns none if every file is missing", () => {
  const layout = planLayout({ ...samplePackage([sampleSound()]), sounds: new Map() });
  expect(usableTracks(layout)).toEqual([]);
});
