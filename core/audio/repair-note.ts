import type { MessageKey } from "../messages/en/english.ts";
import { inEnglish, type Translate } from "../messages/translate.ts";

type RepairNoteKey = Extract<MessageKey, `repair.${string}`>;

/** A repair of a sound's file, or a part of it that isn't used. */
export interface RepairNote {
  readonly key: RepairNoteKey;
  /** A format's name or number; may be empty. */
  readonly text: string;
  /** A number of bits or percent; may be 0. */
  readonly count: number;
  /** An English sentence. */
  readonly message: string;
}

/** Builds a note. */
export function repairNote(key: RepairNoteKey, text = "", count = 0): RepairNote {
  const params = { key, text, count };
  return { ...params, message: formatRepairNote(inEnglish, params) };
}

/** Formats a note as a sentence. */
export function formatRepairNote(
  t: Translate,
  { key, text, count }: Omit<RepairNote, "message">,
): string {
  return t(key, { text, count });
}
