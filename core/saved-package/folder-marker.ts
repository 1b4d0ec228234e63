import type { Manifest } from "../manifest/manifest.ts";
import { isJsonObject } from "../text/json-object.ts";
import { parseJson } from "../text/parse-json.ts";

/** The file that maps a folder of sounds to its package (rule F2). */
export const MARKER_FILE = ".soundferry.json";

export interface FolderMarker {
  readonly packageId: string;
  /** The package's title, for people who read the file. */
  readonly title: string;
  /** The package's files: its sounds, and copies that a host made of them. */
  readonly fileNames: ReadonlySet<string>;
  /** The files that a host plays from here: these are never cleared (rule F6). */
  readonly playedNames: ReadonlySet<string>;
  /** SHA-256 digests of what the importer wrote about the package, by file name: any other content is a person's. */
  readonly written: ReadonlyMap<string, readonly string[]>;
}

/** Returns the marker of a new folder. */
export function newMarker({ package_id, title }: Manifest): FolderMarker {
  return {
    packageId: package_id,
    title,
    fileNames: new Set(),
    playedNames: new Set(),
    written: new Map(),
  };
}

export function formatMarker(marker: FolderMarker): string {
  const json = {
    package_id: marker.packageId,
    title: marker.title,
    files: [...marker.fileNames],
    played: [...marker.playedNames],
    ...(marker.written.size > 0 && { written: Object.fromEntries(marker.written) }),
  };
  return `${JSON.stringify(json, null, 2)}\n`;
}

/** Parses a marker; returns undefined for any other text. */
export function parseMarker(text: string): FolderMarker | undefined {
  const value = parseJson(text);
  if (!isJsonObject(value)) return undefined;
  const { package_id, title, files, played, written } = value;
  if (typeof package_id !== "string" || typeof title !== "string") return undefined;
  const digests = Object.entries(isJsonObject(written) ? written : {});
  return {
    packageId: package_id,
    title,
    fileNames: textsIn(files),
    playedNames: textsIn(played),
    written: new Map(digests.map(([name, listed]) => [name, [...textsIn(listed)]])),
  };
}

function textsIn(value: unknown): ReadonlySet<string> {
  return new Set(Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : []);
}
