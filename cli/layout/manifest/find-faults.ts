import type { Node } from "jsonc-parser";
import type { Warning } from "../../../core/manifest/manifest.ts";
import {
  type ParsedLocalManifest,
  parseLocalManifest,
} from "../../../core/manifest/parse-manifest.ts";
import { formatField } from "../../../core/manifest/warnings.ts";
import type { ManifestFault } from "../../../core/protocol/preview-api.ts";
import { Refusal } from "../../../core/protocol/refusal.ts";
import { parseJson } from "../../../core/text/parse-json.ts";
import {
  findEntry,
  findValue,
  type ManifestTree,
  nameOf,
  parseManifestTree,
  propertiesOf,
  TextLines,
} from "./manifest-tree.ts";

/** A manifest's text and what is wrong with it. */
export interface JudgedManifest {
  readonly tree: ManifestTree;
  readonly lines: TextLines;
  /** The manifest; undefined if it can't be used as a whole. */
  readonly parsed: ParsedLocalManifest | undefined;
  readonly faults: readonly ManifestFault[];
}

/**
 * Finds every fault of a manifest, each with its place (rule V15): where it isn't JSON, else what the format refuses
 * or repairs.
 * @param text without a byte order mark
 */
export function judgeManifest(text: string): JudgedManifest {
  const tree = parseManifestTree(text);
  const lines = new TextLines(text);
  const placeOf = (node: Node | undefined) =>
    node === undefined ? null : lines.place(node.offset, node.length);
  if (tree.faults.length > 0) {
    const faults = tree.faults.map(({ offset, length, message }): ManifestFault => {
      const place = lines.place(offset, length);
      return { isError: true, message, soundId: null, field: null, place };
    });
    return { tree, lines, parsed: undefined, faults };
  }
  try {
    const parsed = parseLocalManifest(parseJson(text), { packageId: "preview" });
    const ids = parsed.manifest.items.map(({ id }) => id);
    const soundNode = (id: string) => findEntry(findValue(tree.root, "items"), ids.indexOf(id));
    const refused = [...parsed.refusals].map(([soundId, refusal]): ManifestFault => {
      const place = placeOf(nodeOfRefusal(soundNode(soundId), refusal));
      const { message } = refusal;
      return { isError: true, message, soundId, field: fieldOf(refusal), place };
    });
    const warned = new WarnedValues(tree.root, soundNode);
    const repaired = parsed.warnings.map((warning): ManifestFault => {
      const { message, sound: soundId = null, field = null } = warning;
      const place = placeOf(warned.find(warning));
      return { isError: false, message, soundId, field, place };
    });
    const doubled = doubles(tree.root).map(({ name, node }): ManifestFault => {
      const message = `"${formatField(name)}" is there more than once. The last one counts.`;
      return { isError: false, message, soundId: null, field: null, place: placeOf(node) };
    });
    return { tree, lines, parsed, faults: inReadingOrder([...refused, ...repaired, ...doubled]) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const place = placeOf(nodeOfRefusal(tree.root, error));
    const { message } = error;
    const fault = { isError: true, message, soundId: null, field: fieldOf(error), place };
    return { tree, lines, parsed: undefined, faults: [fault] };
  }
}

/** The property that a refusal is about. */
function fieldOf({ extras }: Refusal): string | null {
  return extras.about?.field ?? null;
}

/** The value that a refusal is about, or its object if the value is missing. */
function nodeOfRefusal(object: Node | undefined, refusal: Refusal): Node | undefined {
  const field = fieldOf(refusal);
  return (field === null ? undefined : findValue(object, field)) ?? object;
}

/** Finds values by the fields of warnings. Those are shortened and cleaned, so names are compared that way. */
class WarnedValues {
  /** The values of each object, by field. */
  readonly #known = new Map<Node, ReadonlyMap<string, Node>>();
  readonly #root: Node | undefined;
  readonly #soundNode: (id: string) => Node | undefined;

  constructor(root: Node | undefined, soundNode: (id: string) => Node | undefined) {
    this.#root = root;
    this.#soundNode = soundNode;
  }

  /** The value, or its object if it is missing; undefined if the warning is about no property. */
  find({ sound, field }: Warning): Node | undefined {
    if (field === undefined) return undefined;
    if (sound !== undefined)
      return this.#member(this.#soundNode(sound), "", field) ?? this.#soundNode(sound);
    const root = this.#root;
    return (
      this.#member(findValue(root, "source"), "source.", field) ??
      this.#member(findValue(root, "tempo"), "tempo.", field) ??
      this.#member(root, "", field) ??
      root
    );
  }

  #member(object: Node | undefined, prefix: string, field: string): Node | undefined {
    if (object === undefined) return undefined;
    const known =
      this.#known.get(object) ??
      new Map(
        propertiesOf(object).map((property) => [
          formatField(prefix + nameOf(property)),
          property.children?.[1] ?? property,
        ]),
      );
    this.#known.set(object, known);
    return known.get(field);
  }
}

/** Names that an object has more than once, with the earlier ones' properties. */
function doubles(
  root: Node | undefined,
): readonly { readonly name: string; readonly node: Node }[] {
  const objects = [
    root,
    findValue(root, "source"),
    findValue(root, "tempo"),
    ...(findValue(root, "items")?.children ?? []),
  ];
  return objects.flatMap((object) => {
    const last = new Map(propertiesOf(object).map((property) => [nameOf(property), property]));
    return propertiesOf(object)
      .map((node) => ({ name: nameOf(node), node }))
      .filter(({ name, node }) => last.get(name) !== node);
  });
}

/** Sorts faults by place; those without one are last. */
export function inReadingOrder(faults: readonly ManifestFault[]): readonly ManifestFault[] {
  const END = Number.MAX_SAFE_INTEGER;
  return faults.toSorted(
    ({ place: a }, { place: b }) =>
      (a?.line ?? END) - (b?.line ?? END) || (a?.column ?? 0) - (b?.column ?? 0),
  );
}
