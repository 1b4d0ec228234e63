import { childrenAt, descend, everyElement, isPointee, valueAt } from "../set-element.ts";
import type { XmlNode } from "../xml-tree.ts";
import type { FindingList } from "./finding-list.ts";
import { quoted, tracksOf } from "./judge-header.ts";
import { isNumber } from "./judge-members.ts";

/** Lists of any schema, whose members need an `Id`. */
const LISTS = new Set(
  (
    "Tracks Scenes Sends SendsPre Slots ClipSlotList WarpMarkers Devices Grooves KeyTracks " +
    "TimeSignatures"
  ).split(" "),
);
/** Members of lists that share their name with what is around them. */
const LIST_MEMBERS = new Set(
  (
    "FloatEvent EnumEvent BoolEvent AudioClip MidiClip AutomationEnvelope ClipEnvelope " +
    "AutomationLane"
  ).split(" "),
);
const ID = /^\d{1,19}$/;

/** Judges every `Id` of a Set, and every reference to one (rules LS26 and LS27). */
export function judgeIds(root: XmlNode, list: FindingList): void {
  const pointees = new Map<string, XmlNode[]>();
  const references: XmlNode[] = [];
  for (const node of everyElement(root)) {
    judgeSiblings(node, list);
    const id = node.attributes.get("Id");
    if (id !== undefined && isPointee(node)) {
      const known = pointees.get(id);
      if (known === undefined) pointees.set(id, [node]);
      else known.push(node);
    }
    if (node.tag === "PointeeId") references.push(node);
  }
  judgePointees(pointees, descend(root, "LiveSet", "NextPointeeId"), list);
  for (const node of references) {
    const id = node.attributes.get("Value") ?? "";
    if (!pointees.has(id)) list.add(node, "POINTEE_DANGLING", { id: quoted(id) });
  }
  judgeReferences(root, list);
}

function judgeSiblings(parent: XmlNode, list: FindingList): void {
  const { children } = parent;
  if (children.length === 0) return;
  const seen = new Set<string>();
  const members = children.filter((child) => !isPointee(child));
  // One Id among other members is a wrong attribute, not a list.
  const withId = members.filter((child) => child.attributes.has("Id")).length;
  const isList = withId > 0 && withId * 2 >= members.length;
  for (const child of members) {
    const id = child.attributes.get("Id");
    if (id === undefined) {
      if (isList || isListMember(child)) list.add(child, "LIST_ID_MISSING", {});
      continue;
    }
    if (!ID.test(id)) list.add(child, "ID_FORM", { id: quoted(id) });
    if (seen.has(id)) list.add(child, "LIST_ID_TWICE", { id });
    seen.add(id);
  }
}

function isListMember({ tag, parent }: XmlNode): boolean {
  return LIST_MEMBERS.has(tag) || (parent !== null && LISTS.has(parent.tag));
}

function judgePointees(
  pointees: ReadonlyMap<string, readonly XmlNode[]>,
  nextNode: XmlNode | undefined,
  list: FindingList,
): void {
  const written = valueAt(nextNode);
  const next = written !== undefined && isNumber(written, "int") ? BigInt(written) : undefined;
  for (const [id, nodes] of pointees) {
    const [first, second] = nodes;
    if (first === undefined) continue;
    if (!ID.test(id)) list.add(first, "ID_FORM", { id: quoted(id) });
    else if (BigInt(id) === 0n) list.add(first, "POINTEE_ZERO", {});
    else if (next !== undefined && BigInt(id) >= next) {
      list.add(first, "POINTEE_TOO_HIGH", { id, next: String(next) });
    }
    if (second !== undefined) list.add(second, "POINTEE_TWICE", { id, count: nodes.length });
  }
}

function judgeReferences(root: XmlNode, list: FindingList): void {
  const tracks = tracksOf(root);
  const groups = idsOf(tracks.filter(({ tag }) => tag === "GroupTrack"));
  const linked = idsOf(childrenAt(root, "LiveSet", "LinkedTrackGroups"));
  const grooves = idsOf(childrenAt(root, "LiveSet", "GroovePool", "Grooves"));
  const scenes = childrenAt(root, "LiveSet", "Scenes").length;
  const set = descend(root, "LiveSet");
  for (const node of set === undefined ? [] : everyElement(set)) {
    if (node.tag === "TrackGroupId") judgeReference(node, groups, list);
    if (node.tag === "LinkedTrackGroupId") judgeReference(node, linked, list);
    if (node.tag === "GrooveId") judgeReference(node, grooves, list);
    if (node.tag === "SavedPlayingSlot" && Number(valueAt(node)) >= scenes) {
      list.add(node, "REFERENCE", { what: node.tag, id: quoted(valueAt(node) ?? "") });
    }
  }
}

function idsOf(nodes: readonly XmlNode[]): ReadonlySet<string | undefined> {
  return new Set(nodes.map(({ attributes }) => attributes.get("Id")));
}

/** Judges a value that is an `Id` elsewhere, or -1 for none. */
function judgeReference(
  node: XmlNode,
  known: ReadonlySet<string | undefined>,
  list: FindingList,
): void {
  const id = valueAt(node) ?? "";
  if (id !== "-1" && !known.has(id))
    list.add(node, "REFERENCE", { what: node.tag, id: quoted(id) });
}
