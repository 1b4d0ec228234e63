import { descend, valueAt } from "../set-element.ts";
import type { XmlNode } from "../xml-tree.ts";
import type { FindingList } from "./finding-list.ts";
import { tracksOf } from "./judge-header.ts";

const ROUTINGS = ["AudioInput", "AudioOutput", "MidiInput", "MidiOutput"] as const;
const TO_TRACK = /\/Track\.(\d{1,19})(?:\/|$)/;
const TO_GROUP = "AudioOut/GroupTrack";

/** Judges where the cables of each track lead: to a track that is there, and to a group only from inside one (rule LS29). */
export function judgeRoutings(root: XmlNode, list: FindingList): void {
  const tracks = tracksOf(root);
  const known = new Set(tracks.map(({ attributes }) => attributes.get("Id")));
  for (const track of tracks) {
    const isInGroup = (valueAt(track, "TrackGroupId") ?? "-1") !== "-1";
    for (const name of ROUTINGS) {
      const target = descend(track, "DeviceChain", `${name}Routing`, "Target");
      const value = valueAt(target) ?? "";
      const other = TO_TRACK.exec(value)?.[1];
      const leadsNowhere =
        (other !== undefined && !known.has(other)) || (value === TO_GROUP && !isInGroup);
      if (target !== undefined && leadsNowhere) list.add(target, "ROUTING", { value });
    }
  }
}
