import { isThisComputer } from "./judge-host.ts";

/**
 * Returns the address of a relay's page that receives in any browser, which needs nothing installed. null where browsers
 * can't receive, on http that isn't this computer's, and for what is no address.
 * @param relayUrl the relay's base address
 */
export function receivePageOf(relayUrl: string): string | null {
  const [, scheme, host = ""] = /^(https?):\/\/(\[[^\]]*\]|[^/:?#]*)/.exec(relayUrl) ?? [];
  if (scheme === undefined || (scheme === "http" && !isThisComputer(host))) return null;
  return `${relayUrl.replace(/\/+$/, "")}/receive`;
}
