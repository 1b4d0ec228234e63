/** The globals of a browser used here. Node has no `location`. */
interface Browser {
  readonly fetch: unknown;
  readonly location?: Pick<URL, "protocol" | "hostname" | "origin">;
  readonly Request: { readonly prototype: object };
}

/** The page's address; undefined outside browsers. */
export function pageAddress(): Browser["location"] {
  const { location }: Browser = globalThis;
  return location;
}

/** True if the browser lets the permission for the local network override mixed content. */
export function knowsSpaces(): boolean {
  const { Request }: Browser = globalThis;
  return "targetAddressSpace" in Request.prototype;
}

/** Hosts whose address space a browser knows without being told. */
const KNOWN = /^[\d.]+$|^\[|(^|\.)local(host)?$/;
/** Other names that only a local network knows. */
const NEARBY = /^[^.]+$|\.(lan|internal|home\.arpa)$/;

/** True if a browser may ask a person before this page's first call to a relay. */
export function mayAsk(relayUrl: string): boolean {
  const { hostname } = new URL(relayUrl);
  return KNOWN.test(hostname) || NEARBY.test(hostname) || needsTarget(relayUrl);
}

/**
 * True if a browser blocks a call unless it names its address space: from an https page to http, by a name that may
 * have an address in the local network. Only `fetch` can name it (rule W44).
 */
export function needsTarget(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  const isInsecure = pageAddress()?.protocol === "https:" && protocol === "http:";
  return isInsecure && knowsSpaces() && !KNOWN.test(hostname);
}

/** Returns the options of `fetch` for a URL. */
export function targetOf(url: string): { readonly targetAddressSpace?: "local" } {
  return needsTarget(url) ? { targetAddressSpace: "local" } : {};
}
