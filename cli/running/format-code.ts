import type { PairingCodeAnswer } from "../../core/protocol/importer-api.ts";
import { formatPairingCode } from "../../core/protocol/pairing-code.ts";

/** A pairing code that can be read across the room, with its lifetime. */
export function formatCode({
  code,
  expires_in,
}: Pick<PairingCodeAnswer, "code" | "expires_in">): string {
  return formatBox(code, `expires in ${formatSpan(expires_in)}`);
}

/** The same of a code that works again after each use, as `up --code` sets it (rule K2). */
export function formatFixedCode(code: string): string {
  return formatBox(code, "valid again after each use");
}

/** The same in one quiet line. */
export function formatNextCode({
  code,
  expires_in,
}: Pick<PairingCodeAnswer, "code" | "expires_in">): string {
  return `New pairing code: ${formatPairingCode(code)}, expires in ${formatSpan(expires_in)}.`;
}

function formatBox(code: string, goodFor: string): string {
  return [
    "  ┌───────────────┐",
    `  │    ${formatPairingCode(code)}    │  pairing code, ${goodFor}`,
    "  └───────────────┘",
  ].join("\n");
}

/** Says that a code which `up --code` set can be used once more. */
export function formatCodeAgain(code: string): string {
  return `The pairing code ${formatPairingCode(code)} is valid again.`;
}

/** Seconds as people say them: whole minutes from two minutes up. */
function formatSpan(seconds: number): string {
  return seconds >= 120 ? `${Math.floor(seconds / 60)} minutes` : `${seconds} seconds`;
}
