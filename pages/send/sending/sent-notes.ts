import type {
  SentNote,
  SentNotes,
  SentSound,
  SessionView,
} from "../../../client/send/session/session-view.ts";
import { tempoOf } from "../../../client/send/session/open-questions.ts";
import { BPM, numberOf } from "../../../client/send/session/typed-numbers.ts";
import { t } from "../../kit/page-language.ts";
import { describeSound, type SoundDescription } from "../sounds/plan-sound.ts";
import { isJsonObject } from "../../../core/text/json-object.ts";

/** A sound of a sent package with the facts of its row, unless an earlier visit described it. */
export type DescribedSound = SentSound & Partial<SoundDescription>;

/** Describes the sounds for the list of sent packages. */
export function describeSent(view: SessionView): readonly DescribedSound[] {
  const packageBpm = numberOf(tempoOf(view), BPM);
  return view.sounds.map((sound, index) => {
    const described = describeSound(sound, packageBpm);
    const name = described.name || t("clips.unnamed", { number: index + 1 });
    return { ...described, id: sound.key, name };
  });
}

/** Returns a key that identifies a sound among all sent packages. */
export function sentKey({ packageId }: { readonly packageId: string }, id: string): string {
  return `${packageId}/${id}`;
}

const KEY = "soundferry.sent";
/** Number of packages in the list; older ones are dropped. */
const MAX_STORED = 10;

/** Stores the packages sent from this page, beside those of other tabs, if the browser allows it. */
export const STORED_SENT: SentNotes = {
  read,
  store: (note) => write([note, ...read()].slice(0, MAX_STORED)),
  forget: (packageId) => write(read().filter((note) => note.packageId !== packageId)),
};

/** True if a package with this id in `unfinished` was sent from this browser. */
export function wasSent(key: string): boolean {
  return read().some((note) => note.key === key);
}

/** Returns an empty list if the browser stores nothing. */
function read(): readonly SentNote[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isNote) : [];
  } catch {
    return [];
  }
}

function write(notes: readonly SentNote[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(notes));
  } catch {
    // The list won't survive a reload.
  }
}

/** Checks the full shape that this page writes. */
function isNote(value: unknown): value is SentNote {
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
  return (
    isJsonObject(value) && typeof value["id"] === "string" && typeof value["name"] === "string"
  );
}
