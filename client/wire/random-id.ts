import { hexOf } from "../send/hex.ts";

/** 128 random bits as 32 hex digits. Pages loaded over plain http have no `crypto.randomUUID`. */
export function randomId(): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(16)));
}
