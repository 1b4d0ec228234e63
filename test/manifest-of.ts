import { createHash } from "node:crypto";
import { smallWav } from "./wav-bytes.ts";

/** A manifest of small sounds, or of the bytes given by file name. @param more of its fields */
export function manifestOf(
  sounds: readonly string[] | Readonly<Record<string, Uint8Array>>,
  more: object = {},
) {
  const entries = isList(sounds)
    ? sounds.map((file) => [file, smallWav()] as const)
    : Object.entries(sounds);
  return {
    schema: "app2host/1",
    title: "Kit",
    source: { app: "Looper" },
    items: entries.map(([file, bytes]) => itemOf(file, bytes)),
    ...more,
  };
}

function isList<Entry>(value: readonly Entry[] | object): value is readonly Entry[] {
  return Array.isArray(value);
}

/** One entry of `items` for these bytes. */
export function itemOf(file: string, bytes: Uint8Array) {
  return {
    file,
    bytes: bytes.byteLength,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    name: file.replace(/\.wav$/i, ""),
  };
}
