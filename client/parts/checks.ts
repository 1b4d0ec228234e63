import { Refusal } from "../../core/protocol/refusal.ts";
import type { MeAnswer } from "../../core/protocol/public-api.ts";
import { readWavHeaderAt } from "../../core/audio/read-wav-header-at.ts";
import type { DescribedSound } from "../send/describe-package.ts";
import { readerOf } from "../send/sound-bytes.ts";
import { soundNameOf } from "../send/sound-names.ts";
import { ClientError, type SoundProblem } from "../wire/client-error.ts";

/** Reads every sound's header as the relay will (rule U4), and returns what it would refuse. */
export async function findProblems(
  sounds: readonly DescribedSound[],
): Promise<readonly SoundProblem[]> {
  const problems: SoundProblem[] = [];
  for (const [index, { file, item, blob }] of sounds.entries()) {
    const { name, ...about } = soundNameOf(item, file, index + 1);
    try {
      await readWavHeaderAt(readerOf(blob, name), blob.size, name);
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof ClientError)) throw error;
      const code = error instanceof Refusal ? error.code : "SOUND_UNREADABLE";
      problems.push({ error: error.message, code, ...about });
    }
  }
  return problems;
}

/**
 * Says why a new package certainly finds no room; undefined if it may. The announcement judges the rest.
 */
export function findRoomFault(
  { room, device_name: name }: Pick<MeAnswer, "device_name"> & Partial<Pick<MeAnswer, "room">>,
  totalBytes: number,
): string | undefined {
  // Older relays don't report it.
  if (room === undefined) return undefined;
  if (room.waiting_left < 1) return `Many packages wait at ${name}. Click Import first.`;
  if (totalBytes > room.package_bytes_max) {
    return `These sounds are too large together for ${name}.`;
  }
  if (totalBytes <= room.bytes_left) return undefined;
  const left = Math.floor(Math.max(0, room.bytes_left) / 1024 ** 2);
  return `${name} has room for ${left} MB, and these sounds need more. Click Import first.`;
}
