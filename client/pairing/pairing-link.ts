import { parseRelayUrl } from "../wire/relay-http.ts";

/** Where to pair, and with which code. */
export interface PairingLink {
  /** Without a trailing slash. */
  readonly relayUrl: string;
  readonly code: string;
}

/** The pairing code in the page's address after `#`, as in `#code=K7MQ2X`; null if there is none. */
export function codeOfAddress(hash: string): string | null {
  const code = new URLSearchParams(hash.replace(/^#/, "")).get("code")?.trim() ?? "";
  return code === "" ? null : code;
}

/** A link to a relay's page with a code, as its QR code has it; null if the text is none. */
export function readPairingLink(text: string): PairingLink | null {
  const [address = "", hash = ""] = text.trim().split("#", 2);
  const code = codeOfAddress(hash);
  if (code === null || !/^https?:\/\//i.test(address)) return null;
  try {
    return { relayUrl: parseRelayUrl(address), code };
  } catch {
    return null;
  }
}
