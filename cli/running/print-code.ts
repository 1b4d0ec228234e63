import type { PairingCodeAnswer } from "../../core/protocol/importer-api.ts";
import { printPairingCode } from "../../core/pairing-code.ts";

/** A pairing code that can be read across the room, with its lifetime. */
export function printCode({
  code,
  expires_in,
}: Pick<PairingCodeAnswer, "code" | "expires_in">): string {
  return [
    "  ┌───────────────┐",
    `  │    ${printPairingCode(code)}    │  pairing code, good for ${printSpan(expires_in)}`,
    "  └───────────────┘",
  ].join("\n");
}

/** The same in one quiet line. */
export function printNextCode({
  code,
  expires_in,
}: Pick<PairingCodeAnswer, "code" | "expires_in">): string {
  return `The pairing code is now ${printPairingCode(code)}, good for ${printSpan(expires_in)}.`;
}

/** Seconds as people say them: whole minutes from two minutes up. */
export function printSpan(seconds: number): string {
  return seconds >= 120 ? `${Math.floor(seconds / 60)} minutes` : `${seconds} seconds`;
}
