import { childrenAt, descend, everyElement, numberAt, valueAt } from "../set-element.ts";
import { AUDIO_CLIP, COLOR_RANGE } from "../schema/clip.ts";
import type { XmlNode } from "../xml-tree.ts";
import type { FindingList } from "./finding-list.ts";
import type { SetSchema } from "./judge-header.ts";
import { isNumber } from "./judge-members.ts";
import { judgeWithin } from "./judge-tracks.ts";

/** Seconds by which something may end after its file: values are rounded. */
const END_TOLERANCE_SECONDS = 0.001;
/** Beats by which a position may differ from the usual one. */
const USUAL_TOLERANCE_BEATS = 1e-6;

/** Judges every audio clip of any schema, in slots and in the arrangement (rules LS30 and LS31). */
export function judgeClips(root: XmlNode, { major }: SetSchema, list: FindingList): void {
  const mixer =
    descend(root, "LiveSet", "MasterTrack", "DeviceChain", "Mixer") ??
    descend(root, "LiveSet", "MainTrack", "DeviceChain", "Mixer");
  const tempoBpm = numberAt(mixer, "Tempo", "Manual");
  for (const clip of everyElement(root)) {
    if (clip.tag !== "AudioClip") continue;
    if (major >= 11) judgeWithin(descend(clip, "Color"), COLOR_RANGE, list);
    judgeChoice(descend(clip, "WarpMode"), AUDIO_CLIP.members.WarpMode.choices, list);
    judgeMarkers(clip, list);
    judgeLoop(clip, list);
    judgeCurrent(clip, tempoBpm, list);
  }
}

/** Judges a number of a closed list that every schema has; nothing where it is missing. */
export function judgeChoice(
  node: XmlNode | undefined,
  choices: readonly number[],
  list: FindingList,
): void {
  const value = valueAt(node);
  if (node === undefined || value === undefined || !isNumber(value, "int")) return;
  if (!choices.includes(Number(value))) {
    list.add(node, "CHOICE", { attribute: "Value", value, choices: choices.join(", ") });
  }
}

function judgeMarkers(clip: XmlNode, list: FindingList): void {
  const place = descend(clip, "WarpMarkers");
  const count = place?.children.length ?? 0;
  const isWarped = valueAt(clip, "IsWarped") === "true";
  if (isWarped && count < 2) list.add(place ?? clip, "MARKERS", { count });
  const length = fileSeconds(clip);
  let [seconds, beats] = [-Infinity, -Infinity];
  for (const [index, marker] of (place?.children ?? []).entries()) {
    const at = Number(marker.attributes.get("SecTime"));
    const beat = Number(marker.attributes.get("BeatTime"));
    if (!(at > seconds && beat > beats)) list.add(marker, "MARKERS_FALL", {});
    if (at < 0) list.add(marker, "BEFORE_FILE", { seconds: at });
    if (index < count - 1 && at > length + END_TOLERANCE_SECONDS) {
      list.add(marker, "BEHIND_FILE", { seconds: at, length });
    }
    [seconds, beats] = [at, beat];
  }
}

/** Returns the length of a clip's file as the Set has it; NaN where it is missing. */
function fileSeconds(clip: XmlNode): number {
  const sample = descend(clip, "SampleRef");
  return numberAt(sample, "DefaultDuration") / numberAt(sample, "DefaultSampleRate");
}

function judgeLoop(clip: XmlNode, list: FindingList): void {
  const loop = descend(clip, "Loop");
  if (loop === undefined) return;
  const start = numberAt(loop, "LoopStart") + numberAt(loop, "StartRelative");
  judgeOrder(descend(loop, "LoopEnd"), "LoopStart", numberAt(loop, "LoopStart"), list);
  judgeOrder(descend(loop, "OutMarker"), "The start marker", start, list);
  const hiddenStart = numberAt(loop, "HiddenLoopStart");
  judgeOrder(descend(loop, "HiddenLoopEnd"), "HiddenLoopStart", hiddenStart, list);
  if (valueAt(clip, "IsWarped") !== "false") return;
  if (valueAt(loop, "LoopOn") === "true") list.add(loop, "LOOP_UNWARPED", {});
  const length = fileSeconds(clip);
  for (const member of ["LoopEnd", "OutMarker"]) {
    const node = descend(loop, member);
    const seconds = numberAt(node);
    if (node !== undefined && seconds > length + END_TOLERANCE_SECONDS) {
      list.add(node, "BEYOND_FILE", { member, seconds, length });
    }
  }
}

function judgeOrder(end: XmlNode | undefined, start: string, from: number, list: FindingList) {
  const to = numberAt(end);
  if (end !== undefined && !(from < to)) list.add(end, "LOOP", { start, from, end: end.tag, to });
}

/** Compares the part of a session clip that plays with the one that Live writes; arrangement clips have their own. */
function judgeCurrent(clip: XmlNode, tempoBpm: number, list: FindingList): void {
  const [from, to] = [descend(clip, "CurrentStart"), descend(clip, "CurrentEnd")];
  const loop = descend(clip, "Loop");
  if (from === undefined || to === undefined || loop === undefined) return;
  judgeOrder(to, "CurrentStart", numberAt(from), list);
  if (clip.parent?.parent?.tag !== "ClipSlot") return;
  const [start, end] = [numberAt(loop, "LoopStart"), numberAt(loop, "LoopEnd")];
  const isWarped = valueAt(clip, "IsWarped") === "true";
  const isLooped = valueAt(loop, "LoopOn") === "true";
  const usual = isLooped
    ? [0, end - start]
    : isWarped
      ? [start, end]
      : [0, ((end - start) * tempoBpm) / 60];
  for (const [at, node] of [from, to].entries()) {
    const beats = usual[at] ?? 0;
    const value = numberAt(node);
    if (Math.abs(value - beats) > USUAL_TOLERANCE_BEATS * Math.max(1, Math.abs(beats))) {
      list.add(node, "CURRENT", { member: node.tag, value, usual: beats });
    }
  }
}

/** Returns the references to audio files of all clips, each with its clip's `SampleRef`. */
export function sampleRefsOf(root: XmlNode): readonly XmlNode[] {
  return [...everyElement(root)].filter(
    ({ tag, parent }) => tag === "SampleRef" && parent?.tag === "AudioClip",
  );
}

/** Returns a clip's file reference. */
export function fileRefOf(sampleRef: XmlNode): XmlNode | undefined {
  return childrenAt(sampleRef).find(({ tag }) => tag === "FileRef");
}
