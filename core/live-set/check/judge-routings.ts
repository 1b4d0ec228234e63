import { descend, valueAt } from "../set-element.ts";
import type { XmlNode } from "../xml-tree.ts";
import type { FindingList } from "./finding-list.ts";
import { quoted, tracksOf } from "./judge-header.ts";

const SOUND_PLACE =
  "None|Master|Main|External/[MS]\\d{1,3}|GroupTrack|Resampling|Bus\\.\\d{1,9}(?:/.{1,200})?";
const NOTE_PLACE = "None|External\\..{1,200}|Computer Keyboard.{0,200}";
const TRACK = "Track\\.(\\d{1,19})/.{1,200}";
const ROUTINGS = {
  AudioInputRouting: new RegExp(`^AudioIn/(?:${SOUND_PLACE}|${TRACK})$`),
  AudioOutputRouting: new RegExp(`^AudioOut/(?:${SOUND_PLACE}|${TRACK})$`),
  MidiInputRouting: new RegExp(`^MidiIn/(?:${NOTE_PLACE}|${TRACK})$`),
  MidiOutputRouting: new RegExp(`^MidiOut/(?:${NOTE_PLACE}|${TRACK})$`),
} as const;

/** Judges where the cables of each track lead: to a place that Live knows, or a track that is there (rule LS29). */
export function judgeRoutings(root: XmlNode, list: FindingList): void {
  const tracks = tracksOf(root);
  const known = new Set(tracks.map(({ attributes }) => attributes.get("Id")));
  const set = descend(root, "LiveSet");
  const others = (set?.children ?? []).filter(({ tag }) =>
    /^(Master|Main|PreHear)Track$/.test(tag),
  );
  for (const track of [...tracks, ...others]) {
    for (const [name, pattern] of Object.entries(ROUTINGS)) {
      const target = descend(track, "DeviceChain", name, "Target");
      if (target === undefined) continue;
      const value = valueAt(target) ?? "";
      const found = pattern.exec(value);
      const isInGroup = (valueAt(track, "TrackGroupId") ?? "-1") !== "-1";
      const leadsNowhere =
        found === null ||
        (found[1] !== undefined && !known.has(found[1])) ||
        (value === "AudioOut/GroupTrack" && !isInGroup);
      if (leadsNowhere) list.add(target, "ROUTING", { value: quoted(value) });
    }
  }
}
