import { Refusal } from "../../../core/protocol/refusal.ts";
import type { RefusalCode } from "../../../core/protocol/refusals.ts";
import type { WavHeader } from "../../../core/audio/wav-header.ts";
import { judgeWav } from "../../../scripts/corpus/judge-wav.ts";

/** The header of a WAV that both drivers, in pieces of every size, must accept. */
export async function accepted(bytes: Uint8Array): Promise<WavHeader> {
  const judgment = await judgeWav(bytes, "kick.wav");
  if (judgment instanceof Refusal) throw judgment;
  return judgment;
}

/** The refusal's code of a WAV that both drivers, in pieces of every size, must refuse. */
export async function refusedCode(bytes: Uint8Array): Promise<RefusalCode | "accepted"> {
  const judgment = await judgeWav(bytes, "kick.wav");
  return judgment instanceof Refusal ? judgment.code : "accepted";
}
