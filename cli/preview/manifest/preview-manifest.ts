import type { Node } from "jsonc-parser";
import { PACKAGE_FIELDS, SOUND_FIELDS } from "../../../core/manifest/editable-fields.ts";
import type {
  ManifestFault,
  ManifestFields,
  PreviewManifest,
  PreviewTrack,
} from "../../../core/protocol/preview-api.ts";
import { inReadingOrder, type JudgedManifest } from "../../layout/manifest/find-faults.ts";
import type { ManifestFile } from "../../layout/manifest/manifest-file.ts";
import { findEntry, findValue, valueOf } from "../../layout/manifest/manifest-tree.ts";

/** A manifest as the page shows it. */
export function previewManifest(
  { revision, isUtf8 }: ManifestFile,
  { tree, parsed, faults }: JudgedManifest,
  isChanged: boolean,
): PreviewManifest {
  const isRead = parsed !== undefined && tree.root !== undefined;
  return {
    revision,
    isChanged,
    fixedBecause: isUtf8
      ? isRead
        ? null
        : "This manifest can't be edited here. Correct it in a text editor."
      : "manifest.json has bytes that aren't UTF-8 text. Correct it in a text editor.",
    fields: readFields(tree.root, PACKAGE_FIELDS),
    faults,
  };
}

/** The fields of a sound, and its line. */
export function soundFields(
  { tree, lines, parsed }: JudgedManifest,
  soundId: string,
): Pick<PreviewTrack, "fields" | "line"> {
  const index = parsed?.manifest.items.findIndex(({ id }) => id === soundId) ?? -1;
  const node = findEntry(findValue(tree.root, "items"), index);
  return {
    fields: readFields(node, SOUND_FIELDS),
    line: node === undefined ? null : lines.at(node.offset).line,
  };
}

/** Adds what is wrong with the sounds' files, at the places of their names. */
export function addSoundErrors(
  faults: readonly ManifestFault[],
  tracks: readonly PreviewTrack[],
  { tree, lines, parsed }: JudgedManifest,
): readonly ManifestFault[] {
  const items = findValue(tree.root, "items");
  const added = tracks.flatMap((track, index): ManifestFault[] => {
    if (!("error" in track) || parsed?.problems.has(track.id) === true) return [];
    const { id: soundId, error: message } = track;
    const node = findValue(findEntry(items, index), "file");
    const place = node === undefined ? null : lines.place(node.offset, node.length);
    return [{ isError: true, message, soundId, field: "file", place }];
  });
  return added.length === 0 ? faults : inReadingOrder([...faults, ...added]);
}

function readFields(object: Node | undefined, names: readonly string[]): ManifestFields {
  return Object.fromEntries(
    names.flatMap((name) => {
      const node = name.split(".").reduce(findValue, object);
      return node === undefined ? [] : [[name, valueOf(node)]];
    }),
  );
}
