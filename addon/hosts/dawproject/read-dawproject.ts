import { open } from "node:fs/promises";
import type { JsonObject } from "../../../core/text/json-object.ts";
import { secondsAt, type WarpMarker } from "../../../core/layout/warp-markers.ts";
import { PALETTE } from "../../../core/layout/palette.ts";
import { WARP_MODES, type WarpMode } from "../../../core/manifest/manifest.ts";
import type { HeldSettings } from "../../../core/report/placed-sound.ts";
import type { ZipEntry } from "../../../core/zip/zip-format.ts";
import { readZipEntries, readZipText } from "./stored-zip.ts";
import { attributeOf, childrenOf, numberOf, parseXml } from "../parse-xml.ts";

export interface HeldClip {
  /** The settings of the clip and its track, without those that the format can't express. */
  readonly holds: Partial<HeldSettings>;
  /** True if the file contains the sound itself. */
  readonly hasSound: boolean;
}

/**
 * Reads back the clips of a file that Soundferry wrote, in the order of scenes and slots.
 * @throws {Error} when it can't be read or another program wrote it
 */
export async function readDawproject(path: string): Promise<readonly HeldClip[]> {
  await using file = await open(path, "r");
  const entries = await readZipEntries(file);
  const entry = entries.get("project.xml");
  if (entry === undefined) throw new Error("It has no project.xml.");
  return readClips(parseXml(await readZipText(file, entry)), entries);
}

function readClips(
  document: JsonObject,
  entries: ReadonlyMap<string, ZipEntry>,
): readonly HeldClip[] {
  const project = descend(document, "Project");
  const tracks = new Map(
    childrenOf(descend(project, "Structure"), "Track").map((track) => [
      attributeOf(track, "id"),
      track,
    ]),
  );
  const slots = childrenOf(descend(project, "Scenes"), "Scene").flatMap((scene) =>
    childrenOf(descend(scene, "Lanes"), "ClipSlot"),
  );
  return slots.map((slot) => {
    const clip = descend(slot, "Clip");
    const path = attributeOf(descend(audioIn(clip), "File"), "path") ?? "";
    return {
      holds: readSettings(clip, tracks.get(attributeOf(slot, "track"))),
      hasSound: entries.has(path),
    };
  });
}

function readSettings(clip: JsonObject | undefined, track: JsonObject | undefined) {
  const isLooping = attributeOf(clip, "loopEnd") !== undefined;
  const volume = numberOf(descend(track, "Channel", "Volume"), "value");
  return {
    trackName: attributeOf(track, "name") ?? "",
    clipName: attributeOf(clip, "name") ?? "",
    colorIndex: PALETTE.indexOf(Number.parseInt((attributeOf(clip, "color") ?? "").slice(1), 16)),
    gainDb: withoutRounding(20 * Math.log10(volume)),
    looping: isLooping,
    ...readWarp(clip, isLooping),
  };
}

/** Reads a clip's warp. Warp mode, tempo and beats of an unwarped loop are unknown; a one-shot has none. */
function readWarp(clip: JsonObject | undefined, isLooping: boolean): Partial<HeldSettings> {
  const warps = descend(eventIn(clip), "Warps");
  const markers = childrenOf(warps, "Warp").map(readMarker);
  const end = markers.at(-1);
  if (warps === undefined || end === undefined) {
    const none = { warpMode: null, tempoBpm: null, loopEndBeats: null };
    return { warping: false, ...(!isLooping && none) };
  }
  const mode = attributeOf(audioIn(clip), "algorithm");
  return {
    warping: true,
    ...(mode !== undefined && isWarpMode(mode) && { warpMode: mode }),
    tempoBpm: withoutRounding((60 * end.beats) / end.seconds),
    loopEndBeats: isLooping ? numberOf(clip, "loopEnd") : null,
    startSeconds: secondsAt(markers, numberOf(clip, "playStart")),
    ...(isLooping && { loopStartSeconds: secondsAt(markers, numberOf(clip, "loopStart")) }),
    warpMarkers: markers,
  };
}

function readMarker(warp: JsonObject): WarpMarker {
  return { seconds: numberOf(warp, "contentTime"), beats: numberOf(warp, "time") };
}

function eventIn(clip: JsonObject | undefined): JsonObject | undefined {
  return descend(clip, "Clips", "Clip");
}

function audioIn(clip: JsonObject | undefined): JsonObject | undefined {
  const event = eventIn(clip);
  return descend(event, "Audio") ?? descend(event, "Warps", "Audio");
}

/** Returns the descendant that is reached by the first child of each name. */
function descend(
  element: JsonObject | undefined,
  ...names: readonly string[]
): JsonObject | undefined {
  return names.reduce((parent, name) => childrenOf(parent, name).at(0), element);
}

function isWarpMode(word: string): word is WarpMode {
  return Object.hasOwn(WARP_MODES, word);
}

/** Rounds to six decimals, which removes the error of converting decibels and tempos. */
function withoutRounding(value: number): number {
  return Number(value.toFixed(6));
}
