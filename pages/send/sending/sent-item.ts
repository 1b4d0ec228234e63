import type { PackageNews } from "../../../client/send/words/format-status.ts";
import type { SoundDescription } from "../sounds/plan-sound.ts";
import type { Pairing } from "../../../client/pairing/pairings.ts";
import { isJsonObject } from "../../../core/text/json-object.ts";

/** A sound of a sent package, as it was described. */
export interface SentSound extends SoundDescription {
  readonly id: string;
}

/** A package sent from this page; survives a reload. */
export interface SentPackageNote {
  readonly packageId: string;
  /** Key of the pairing that it was sent with. */
  readonly pairingKey: string;
  readonly title: string;
  readonly computerName: string;
  /** The sounds in their order. */
  readonly sounds: readonly SentSound[];
  /** Repairs by the relay, one sentence each. */
  readonly warnings: readonly string[];
}

/** A sent package and what is known about it. */
export interface SentItem extends SentPackageNote, PackageNews {
  readonly sounds: readonly SentSound[];
  readonly isDismissed: boolean;
  /** The reason why the status is unknown, or a refusal; null without a problem. */
  readonly trouble: string | null;
}

/** Returns a key that identifies a sound among all sent packages. */
export function sentKey({ packageId }: { readonly packageId: string }, id: string): string {
  return `${packageId}/${id}`;
}

/** Returns a key that identifies a pairing without revealing its token: 48 of the token's 256 bits. */
export function pairingKey({ token }: Pick<Pairing, "token">): string {
  return token.slice(-8);
}

const KEY = "soundferry.sent";
/** Number of packages in the list; older ones are dropped. */
const MAX_STORED = 10;

/** Reads the packages sent from this page, newest first; empty if the browser stores nothing. */
export function readSent(): readonly SentPackageNote[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isNote) : [];
  } catch {
    return [];
  }
}

/** Stores a package beside those of other tabs, so that it survives a reload, if the browser allows it. */
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

/** Checks the full shape that this page writes. */
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
