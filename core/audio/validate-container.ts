import { type Refusal, refusal } from "../protocol/refusal.ts";
import { fourCc } from "./four-cc.ts";

const WAVE = fourCc("WAVE");

/**
 * Validates a file's RIFF header (rule U4). Ignores the RIFF size, which isn't reliable.
 * @param container bytes 0 to 3, little-endian
 * @param form bytes 8 to 11, little-endian
 * @returns undefined for a plain WAV
 */
export function judgeContainer(
  container: number,
  form: number,
  fileName: string,
): Refusal | undefined {
  const file = fileName;
  if (form !== WAVE) return refusal("WAV_NOT_RIFF", { file });
  switch (container) {
    case fourCc("RIFF"):
      return undefined;
    case fourCc("RIFX"):
      return refusal("WAV_RIFX", { file });
    case fourCc("RF64"):
      return refusal("WAV_RF64", { file, container: "RF64" });
    case fourCc("BW64"):
      return refusal("WAV_RF64", { file, container: "BW64" });
    default:
      return refusal("WAV_NOT_RIFF", { file });
  }
}
