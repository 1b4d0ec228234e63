import type { PairingCodeAnswer } from "../../core/protocol/importer-api.ts";
import { commandLine } from "../command.ts";
import { formatPairingCode } from "../../core/protocol/pairing-code.ts";

type Code = Pick<PairingCodeAnswer, "code" | "expires_in">;

/** Formats a pairing code as a large box, with its lifetime. */
export function formatCode({ code, expires_in }: Code): string {
  return formatBox(code, `expires in ${formatSpan(expires_in)}`);
}

/** The same for a code that stays valid, as `up --code` sets it (rule K2). */
export function formatFixedCode(code: string): string {
  return formatBox(code, "valid again after each use");
}

/** Says that a shown code is over, and how to get another one. */
export function formatCodeOver({ isUsed }: { readonly isUsed: boolean }): string {
  const way = `in the panel, or with ${commandLine(["importer", "code"])}.`;
  return isUsed
    ? `Pair another app ${way}`
    : `The pairing code has expired. Get another one ${way}`;
}

function formatBox(code: string, validity: string): string {
  return [
    "  ┌───────────────┐",
    `  │    ${formatPairingCode(code)}    │  pairing code, ${validity}`,
    "  └───────────────┘",
  ].join("\n");
}

export function formatCodeAgain(code: string): string {
  return `The pairing code ${formatPairingCode(code)} is valid again.`;
}

/** Whole minutes from two minutes up, otherwise seconds. */
function formatSpan(seconds: number): string {
  return seconds >= 120 ? `${Math.floor(seconds / 60)} minutes` : `${seconds} seconds`;
}
