import { parseRelayUrl } from "../wire/relay-http.ts";

/** A relay's address and a pairing code for it. */
export interface PairingLink {
  /** Without a trailing slash. */
  readonly relayUrl: string;
  readonly code: string;
}

/** Reads the pairing code after `#` in a page's address, as in `#code=K7MQ2X`; null if there is none. */
export function readCodeInAddress(hash: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, "")).get("code")?.trim() || null;
}

/** Reads a QR code's link to a relay's page with a code, whatever was pasted around it; null if there is none. */
export function readPairingLink(text: string): PairingLink | null {
  const [, address = "", hash = ""] = /(https?:[^#]*)#(.*)/is.exec(text) ?? [];
  const code = readCodeInAddress(hash);
  if (code === null) return null;
  try {
    return { relayUrl: parseRelayUrl(address), code };
  } catch {
    return null;
  }
}
