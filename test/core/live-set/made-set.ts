import { expect } from "vitest";
import type { Layout } from "../../../core/layout/layout.ts";
import { usableTracks } from "../../../core/layout/usable-tracks.ts";
import { formatLiveSet } from "../../../core/live-set/format-live-set.ts";
import { planLiveSet, type SetPackage } from "../../../core/live-set/plan-live-set.ts";
import {
  childrenAt,
  descend,
  everyElement,
  isPointee,
  type SetElement,
} from "../../../core/live-set/set-element.ts";
import type { SetAudio } from "../../../core/live-set/set-plan.ts";
import { parseXmlTree } from "../../../core/live-set/xml-tree.ts";

/** The facts of a file of five seconds. */
export const FIVE_SECONDS: SetAudio = {
  file: { from: "set", relativePath: "../Beat.wav", path: "/sounds/Kit/Beat.wav" },
  sizeBytes: 240_044,
  crc: 4711,
  modifiedSeconds: 1_700_000_000,
  frames: 240_000,
  sampleRateHz: 48_000,
};

/** A package whose sounds all have this file. */
export function packageOf(layout: Layout, audio: Partial<SetAudio> = {}): SetPackage {
  const sounds = usableTracks(layout).map(
    ({ soundId }) => [soundId, { ...FIVE_SECONDS, ...audio }] as const,
  );
  return { layout, audio: new Map(sounds) };
}

/** The document that packages become, as another program reads its text. */
export function madeSet(...packages: readonly SetPackage[]): SetElement {
  return parseXmlTree(formatLiveSet(planLiveSet(packages))).root;
}

/** Lists the clips of a Set with their scene's and their track's place. */
export function clipsIn(document: SetElement) {
  return childrenAt(document, "LiveSet", "Tracks").flatMap((track, trackIndex) =>
    childrenAt(track, "DeviceChain", "MainSequencer", "ClipSlotList").flatMap((slot, scene) => {
      const clip = descend(slot, "ClipSlot", "Value", "AudioClip");
      return clip === undefined ? [] : [{ clip, track, trackIndex, scene }];
    }),
  );
}

/** The markers of a clip as they are written. */
export function markersOf(
  clip: SetElement,
): readonly { readonly sec: number; readonly beat: number }[] {
  return childrenAt(clip, "WarpMarkers").map(({ attributes }) => ({
    sec: Number(attributes.get("SecTime")),
    beat: Number(attributes.get("BeatTime")),
  }));
}

/** Expects what every Set must have (rule LS2). */
export function expectSound(document: SetElement): void {
  const [liveSet] = document.children;
  const ids = [...everyElement(document)]
    .filter(isPointee)
    .map(({ attributes }) => Number(attributes.get("Id")));
  const next = Number(descend(liveSet, "NextPointeeId")?.attributes.get("Value"));
  expect(new Set(ids).size).toBe(ids.length);
  expect(Math.min(...ids)).toBeGreaterThan(0);
  expect(Math.max(...ids)).toBe(next - 1);
  for (const element of everyElement(document)) {
    const all = element.children.filter((child) => child.attributes.has("Id") && !isPointee(child));
    expect(new Set(all.map(({ attributes }) => attributes.get("Id"))).size).toBe(all.length);
    if (element.tag === "PointeeId") expect(ids).toContain(Number(element.attributes.get("Value")));
  }
  const sceneCount = childrenAt(liveSet, "Scenes").length;
  for (const track of childrenAt(liveSet, "Tracks")) {
    for (const sequencer of ["MainSequencer", "FreezeSequencer"]) {
      expect(childrenAt(track, "DeviceChain", sequencer, "ClipSlotList")).toHaveLength(sceneCount);
    }
  }
}
