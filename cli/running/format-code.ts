import type { PairingCodeAnswer } from "../../core/protocol/importer-api.ts";
import { printPairingCode } from "../../core/protocol/pairing-code.ts";

/** A pairing code that can be read across the room, with its lifetime. */
export function printCode({
  code,
  expires_in,
}: Pick<PairingCodeAnswer, "code" | "expires_in">): string {
  return printBox(code, `good for ${printSpan(expires_in)}`);
}

/** The same of a code that works again after each use, as `up --code` sets it (rule K2). */
export function printFixedCode(code: string): string {
  return printBox(code, "good again after each use");
}

/** The same in one quiet line. */
export function printNextCode({
  code,
  expires_in,
}: Pick<PairingCodeAnswer, "code" | "expires_in">): string {
  return `The pairing code is now ${printPairingCode(code)}, good for ${printSpan(expires_in)}.`;
}

function printBox(code: string, goodFor: string): string {
  return [
    "  ┌───────────────┐",
    `  │    ${printPairingCode(code)}    │  pairing code, ${goodFor}`,
    "  └───────────────┘",
  ].join("\n");
}

/** Says that a code which `up --code` set can be used once more. */
export function printCodeAgain(code: string): string {
  return `The pairing code ${printPairingCode(code)} works again.`;
}

/** Seconds as people say them: whole minutes from two minutes up. */
function printSpan(seconds: number): string {
  return seconds >= 120 ? `${Math.floor(seconds / 60)} minutes` : `${seconds} seconds`;
}
