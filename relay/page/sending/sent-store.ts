import { isJsonObject } from "../../../core/text/json-object.ts";
import type { SentPackageNote } from "./sent-item.ts";

const KEY = "soundferry.sent";
/** Older ones are forgotten here. */
const KEPT = 10;

/** What was sent from this page, the newest first; none where the browser keeps nothing. */
export function readSent(): readonly SentPackageNote[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isNote) : [];
  } catch {
    return [];
  }
}

/** Keeps it over a reload, where the browser lets it, beside what other tabs have sent. */
export function keepSent(note: SentPackageNote): void {
  write([note, ...readSent()].slice(0, KEPT));
}

/** Forgets it. */
export function forgetSent(packageId: string): void {
  write(readSent().filter((note) => note.packageId !== packageId));
}

function write(notes: readonly SentPackageNote[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(notes));
  } catch {
    // Then a reload forgets it.
  }
}

/** Only what this page wrote itself has these members. */
function isNote(value: unknown): value is SentPackageNote {
  return (
    isJsonObject(value) &&
    ["packageId", "pairingKey", "title", "computerName"].every(
      (member) => typeof value[member] === "string",
    ) &&
    Array.isArray(value["sounds"]) &&
    Array.isArray(value["warnings"])
  );
}
