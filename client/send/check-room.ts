import type { MeAnswer } from "../../core/protocol/public-api.ts";
import { ClientError } from "../wire/client-error.ts";

/**
 * Fails if a new package certainly finds no room; the announcement judges the rest.
 * @throws {ClientError} `ROOM_TOO_SMALL`
 */
export function checkRoom(
  { room, device_name: name }: Omit<MeAnswer, "room"> & Partial<Pick<MeAnswer, "room">>,
  totalBytes: number,
): void {
  // Older relays say nothing.
  if (room === undefined) return;
  if (room.waiting_left < 1) refuse(`Many packages wait at ${name}. Click Import first.`);
  if (totalBytes > room.package_bytes_max) {
    refuse(`These sounds are too large together for ${name}.`);
  }
  if (totalBytes > room.bytes_left) {
    const left = Math.floor(Math.max(0, room.bytes_left) / 1024 ** 2);
    refuse(`${name} has room for ${left} MB, and these sounds need more. Click Import first.`);
  }
}

function refuse(sentence: string): never {
  throw new ClientError(sentence, { code: "ROOM_TOO_SMALL" });
}
