import { isJsonObject } from "../../../core/text/json-object.ts";
import type { SentPackageNote, SentSound } from "./sent-item.ts";

const KEY = "soundferry.sent";
/** Older ones are dropped from this list. */
const MAX_STORED = 10;

/** The packages sent from this page, newest first; empty if the browser stores nothing. */
export function readSent(): readonly SentPackageNote[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isNote) : [];
  } catch {
    return [];
  }
}

/** Stores the package over a reload, if the browser allows it, beside what other tabs have sent. */
export function storeSent(note: SentPackageNote): void {
  write([note, ...readSent()].slice(0, MAX_STORED));
}

export function forgetSent(packageId: string): void {
  write(readSent().filter((note) => note.packageId !== packageId));
}

function write(notes: readonly SentPackageNote[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(notes));
  } catch {
    // The list won't survive a reload.
  }
}

/** The full shape of what this page writes. */
function isNote(value: unknown): value is SentPackageNote {
  return (
    isJsonObject(value) &&
    ["packageId", "pairingKey", "title", "computerName"].every(
      (member) => typeof value[member] === "string",
    ) &&
    Array.isArray(value["sounds"]) &&
    value["sounds"].every(isSound) &&
    Array.isArray(value["warnings"])
  );
}

function isSound(value: unknown): value is SentSound {
  return isJsonObject(value) && SOUND_MEMBERS.every((member) => value[member] !== undefined);
}

const SOUND_MEMBERS: readonly (keyof SentSound)[] = [
  "id",
  "name",
  "kind",
  "role",
  "color",
  "tempoBpm",
  "lengthBeats",
  "durationSeconds",
];
