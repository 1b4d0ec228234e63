import { hash } from "node:crypto";
import type { CountedIn } from "../domain/ports.ts";

/** 128 bits: two keys of one relay don't meet. */
const KEY_LENGTH = 32;

/**
 * The name of a counter, without the address or the token hash that it counts: 32 hexadecimal digits. Spans of
 * different length have counters of their own.
 */
export function counterKey({
  bucket,
  key,
  window,
}: Pick<CountedIn, "bucket" | "key" | "window">): string {
  return hash("sha256", `${bucket} ${window.windowMs} ${key}`, "hex").slice(0, KEY_LENGTH);
}
