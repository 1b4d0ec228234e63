import { childrenAt, descend, numberAt, valueAt } from "../set-element.ts";
import { COLOR_RANGE } from "../schema/clip.ts";
import { METER_RANGE, TEMPO_RANGE } from "../schema/parameters.ts";
import type { XmlNode } from "../xml-tree.ts";
import type { FindingList } from "./finding-list.ts";
import { quoted, type SetSchema, tracksOf } from "./judge-header.ts";
import { isNumber } from "./judge-members.ts";

type Range = readonly [least: number, greatest: number];
const ANY_COLOR = [-1, COLOR_RANGE[1]] as const;

/** Judges tracks and scenes of any schema: their numbers, slots, sends, colors (rules LS28 and LS29). */
export function judgeTracks(root: XmlNode, schema: SetSchema, list: FindingList): void {
  const set = descend(root, "LiveSet");
  if (set === undefined) return;
  const tracks = tracksOf(root);
  const returns = tracks.filter(({ tag }) => tag === "ReturnTrack").length;
  const scenes = childrenAt(set, "Scenes");
  const hasPlayer = tracks.some(({ tag }) => tag !== "ReturnTrack" && tag !== "GroupTrack");
  if (!hasPlayer) list.add(descend(set, "Tracks") ?? set, "NO_TRACKS", {});
  if (scenes.length === 0) list.add(descend(set, "Scenes") ?? set, "NO_SCENES", {});
  const lastPlayer = tracks.findLastIndex(({ tag }) => tag !== "ReturnTrack");
  for (const [at, track] of tracks.entries()) {
    judgeSlots(track, scenes.length, list);
    judgeSends(track, returns, list);
    judgeWithin(descend(track, "Color"), COLOR_RANGE, list);
    if (track.tag === "ReturnTrack" && at < lastPlayer) list.add(track, "RETURNS_LAST", {});
  }
  judgeSendsPre(set, returns, list);
  for (const scene of scenes) {
    judgeWithin(descend(scene, "Color"), ANY_COLOR, list);
    judgeWithin(descend(scene, "Tempo"), TEMPO_RANGE, list);
    judgeWithin(descend(scene, "TimeSignatureId"), METER_RANGE, list);
  }
  judgeMaster(set, schema, scenes.length, list);
}

/** Judges a number that has the same range in every schema; nothing where it is missing. */
export function judgeWithin(
  node: XmlNode | undefined,
  [least, greatest]: Range,
  list: FindingList,
) {
  const value = valueAt(node);
  if (node === undefined || value === undefined || !isNumber(value, "float")) return;
  if (Number(value) < least || Number(value) > greatest) {
    list.add(node, "RANGE", { attribute: "Value", value, least, greatest });
  }
}

/** Judges the lists of slots: as many as scenes, but none where a group or a return is frozen. */
function judgeSlots(track: XmlNode, scenes: number, list: FindingList): void {
  const chain = descend(track, "DeviceChain");
  const isPlayer = track.tag === "AudioTrack" || track.tag === "MidiTrack";
  for (const name of ["MainSequencer", "FreezeSequencer"] as const) {
    const sequencer = descend(chain, name);
    const slots = descend(sequencer, "ClipSlotList");
    if (isPlayer && slots === undefined) {
      const [place, member] =
        sequencer === undefined ? [chain ?? track, name] : [sequencer, "ClipSlotList"];
      list.add(place, "MEMBER_MISSING", { member });
    }
    const count = slots?.children.length ?? 0;
    if (slots !== undefined && count !== scenes && (isPlayer || count > 0)) {
      list.add(slots, "SLOTS", { list: name, count, scenes });
    }
    for (const [at, slot] of (slots?.children ?? []).entries()) {
      const id = slot.attributes.get("Id") ?? "";
      if (id !== "" && id !== String(at)) list.add(slot, "SLOT_ID", { id, at });
    }
  }
  const groupSlots = descend(track, "Slots");
  if (track.tag === "GroupTrack" && groupSlots !== undefined) {
    const count = groupSlots.children.length;
    if (count !== scenes) list.add(groupSlots, "SLOTS", { list: "Slots", count, scenes });
  }
}

function judgeSends(track: XmlNode, returns: number, list: FindingList): void {
  const sends = descend(track, "DeviceChain", "Mixer", "Sends");
  const count = sends?.children.length ?? 0;
  const code = count > returns ? "SENDS_MORE" : "SENDS_FEWER";
  if (count !== returns) list.add(sends ?? track, code, { count, returns });
}

function judgeSendsPre(set: XmlNode, returns: number, list: FindingList): void {
  const sendsPre = descend(set, "SendsPre");
  const count = sendsPre?.children.length ?? 0;
  if (count !== returns) list.add(sendsPre ?? set, "SENDS_PRE", { count, returns });
}

/** Judges the master, and the track for cueing: their sends are empty. */
function judgeMaster(set: XmlNode, { major }: SetSchema, scenes: number, list: FindingList): void {
  const tag = major >= 12 ? "MainTrack" : "MasterTrack";
  for (const name of [tag, "PreHearTrack"]) {
    const tracks = set.children.filter((child) => child.tag === name);
    const [track] = tracks;
    if (tracks.length !== 1) list.add(set, "MASTER", { count: tracks.length, tag: name });
    if (track === undefined) continue;
    judgeSends(track, 0, list);
    judgeWithin(descend(track, "Color"), ANY_COLOR, list);
    if (name === "PreHearTrack") continue;
    judgeFreezeSequencer(track, scenes, list);
    judgeTempo(track, list);
    judgeMeter(track, list);
  }
}

function judgeFreezeSequencer(master: XmlNode, scenes: number, list: FindingList): void {
  const place = descend(master, "DeviceChain", "FreezeSequencer");
  const [inner, another] = place?.children ?? [];
  if (inner?.tag !== "AudioSequencer" || !inner.attributes.has("Id") || another !== undefined) {
    list.add(place ?? master, "SEQUENCER_PLACE", {});
    return;
  }
  const slots = descend(inner, "ClipSlotList");
  const count = slots?.children.length ?? 0;
  if (slots !== undefined && count !== 0 && count !== scenes) {
    list.add(slots, "SLOTS", { list: "FreezeSequencer", count, scenes });
  }
}

/** Judges the tempo, which is in the mixer and in an envelope; a person's curve has more than one event. */
function judgeTempo(master: XmlNode, list: FindingList): void {
  const parameter = descend(master, "DeviceChain", "Mixer", "Tempo");
  const manual = descend(parameter, "Manual");
  if (parameter === undefined || manual === undefined) {
    const place = parameter ?? descend(master, "DeviceChain", "Mixer") ?? master;
    list.add(place, "MEMBER_MISSING", { member: parameter === undefined ? "Tempo" : "Manual" });
    return;
  }
  judgeWithin(manual, TEMPO_RANGE, list);
  const tempo = numberAt(manual);
  const [first, another] = eventsOf(master, parameter);
  if (first?.tag !== "FloatEvent") {
    list.add(manual, "TEMPO_ONCE", { tempo });
    return;
  }
  const other = Number(first.attributes.get("Value"));
  if (!(other >= TEMPO_RANGE[0] && other <= TEMPO_RANGE[1])) {
    const [least, greatest] = TEMPO_RANGE;
    list.add(first, "RANGE", { attribute: "Value", value: other, least, greatest });
  }
  if (another === undefined && other !== tempo) list.add(manual, "TEMPO_DIFFERS", { tempo, other });
}

function judgeMeter(master: XmlNode, list: FindingList): void {
  const parameter = descend(master, "DeviceChain", "Mixer", "TimeSignature");
  const manual = descend(parameter, "Manual");
  if (parameter === undefined || manual === undefined) return;
  judgeWithin(manual, METER_RANGE, list);
  const [first, another] = eventsOf(master, parameter);
  if (first === undefined) list.add(manual, "METER_ONCE", {});
  const other = first?.attributes.get("Value") ?? "";
  if (first !== undefined && another === undefined && Number(other) !== numberAt(manual)) {
    list.add(manual, "METER_DIFFERS", { meter: numberAt(manual), other: quoted(other) });
  }
}

/** Returns the events of the master's envelope that points at a parameter. */
function eventsOf(master: XmlNode, parameter: XmlNode): readonly XmlNode[] {
  const target = descend(parameter, "AutomationTarget")?.attributes.get("Id");
  const envelope = childrenAt(master, "AutomationEnvelopes", "Envelopes").find(
    (each) => valueAt(each, "EnvelopeTarget", "PointeeId") === target,
  );
  return childrenAt(envelope, "Automation", "Events");
}
