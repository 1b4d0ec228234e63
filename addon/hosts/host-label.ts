import type { Host } from "./host.ts";

/** The host's own words for people, or else its name, such as `Preview`. */
export function hostLabel(host: Pick<Host, "name" | "describe">): string {
  return host.describe?.() ?? host.name.charAt(0).toUpperCase() + host.name.slice(1);
}
