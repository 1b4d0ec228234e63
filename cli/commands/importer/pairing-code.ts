import type { Importer } from "../../../addon/importer.ts";
import {
  type PairingCodeAnswer,
  type PairingRequestView,
  THIS_COMPUTER,
} from "../../../core/protocol/importer-api.ts";
import { formatPairingCode } from "../../../core/protocol/pairing-code.ts";
import { commandLine } from "../../command.ts";

type Code = Pick<PairingCodeAnswer, "code" | "expires_in">;

/** Formats a pairing code as a large box, with its lifetime. */
export function formatCode({ code, expires_in }: Code): string {
  return formatBox(code, `expires in ${formatSpan(expires_in)}`);
}

/** Formats a code that stays valid, as `up --code` sets it (rule K2). */
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

/** The reason why a code ends that two addresses have claimed. */
export const CODE_ENTERED_TWICE =
  "The pairing code was entered in two places, so it is no longer valid.";

/** Asks whether an app may pair (rule P12). */
export function formatPairingRequest({ app_name: app, network }: PairingRequestView): string {
  const where = network === THIS_COMPUTER ? "on this computer" : `in the network ${network}`;
  const [yes, no] = ["allow", "deny"].map((answer) => commandLine(["importer", answer]));
  return `${app} ${where} wants to pair. Allow it only if you entered the code just now: ${yes}, or ${no}.`;
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

/** Formats whole minutes from two minutes up, otherwise seconds. */
function formatSpan(seconds: number): string {
  return seconds >= 120 ? `${Math.floor(seconds / 60)} minutes` : `${seconds} seconds`;
}

/**
 * Says once how to get another pairing code when the shown one was used or has expired (rule P2). A code that
 * another one replaces was replaced by somebody who sees that one.
 */
export function followCode(
  importer: Pick<Importer, "subscribe">,
  shown: PairingCodeAnswer,
  say: (text: string) => void,
): Disposable {
  let isShown = true;
  const end = importer.subscribe(({ pairing }) => {
    if (!isShown || pairing.code === shown) return;
    isShown = false;
    if (pairing.code === null) say(formatCodeOver({ isUsed: pairing.usedBy !== null }));
  });
  return { [Symbol.dispose]: end };
}
