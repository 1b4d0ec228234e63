import { isJsonObject } from "../../../core/json-object.ts";
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

/** Keeps the newest ones over a reload, where the browser lets it. */
export function keepSent(sent: readonly SentPackageNote[]): void {
  const notes = sent
    .slice(0, KEPT)
    .map(({ packageId, pairingKey, title, computerName, sounds, warnings }) => {
      return { packageId, pairingKey, title, computerName, sounds, warnings };
    });
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
