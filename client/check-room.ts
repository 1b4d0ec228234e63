import type { MeAnswer } from "../core/protocol/public-api.ts";
import { ClientError } from "./client-error.ts";

/** What a relay advises about a computer's room; older relays say nothing. */
interface Room {
  readonly bytes_left: number;
  readonly waiting_left: number;
  readonly package_bytes_max: number;
}

/**
 * Fails if a new package certainly finds no room; the announcement judges the rest.
 * @throws {ClientError} `ROOM_TOO_SMALL`
 */
export function checkRoom(me: MeAnswer & { readonly room?: Room }, totalBytes: number): void {
  const { room, device_name: name } = me;
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
