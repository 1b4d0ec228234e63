import type { Sound } from "../manifest/manifest.ts";
import { type Refusal, refusal } from "./refusal.ts";
import { REFUSALS, type RefusalCode } from "./refusals.ts";

/** The announced property that the bytes of a file contradict. */
const FIELDS: Partial<Record<RefusalCode, string>> = {
  SIZE_DIFFERS: "bytes",
  CHECKSUM_DIFFERS: "sha256",
};

/** A refusal whose sentence names a file, with the sound of the package that has this file (rule E3). */
export function nameSound(refused: Refusal, items: readonly Sound[], file: string): Refusal {
  const index = items.findIndex((item) => item.file === file);
  const sound = items[index]?.id;
  if (sound === undefined || !namesFile(refused)) return refused;
  const field = FIELDS[refused.code];
  const about = { sound, file, ...(field !== undefined && { field }), position: index + 1 };
  return refused.with({ about });
}

/** The refusal of a file that the package doesn't have. */
export function fileUnknown(file: string): Refusal {
  return refusal("FILE_UNKNOWN", { file }, { about: { file } });
}

function namesFile({ code }: Refusal): boolean {
  return /\{(?:file|sound)\}/.test(REFUSALS[code].sentence);
}
