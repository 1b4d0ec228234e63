/**
 * Whether this page can't call the relay because the page was loaded over https and the relay's address is
 * http. Browsers except the computer itself.
 */
export function isMixedContent(relayUrl: string): boolean {
  const page: unknown = Reflect.get(globalThis, "location");
  if (typeof page !== "object" || page === null) return false;
  const { protocol, hostname } = new URL(relayUrl);
  return (
    Reflect.get(page, "protocol") === "https:" && protocol === "http:" && !isLoopback(hostname)
  );
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
