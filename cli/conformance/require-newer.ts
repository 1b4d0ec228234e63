import { LeftOut } from "./assertion-failure.ts";

/**
 * Leaves a check out on a relay from before the promise existed: it kept all that it promised.
 * @param has whether the relay has what came later
 * @param what names it in the reason
 */
export function requireNewer(has: boolean, what: string): void {
  if (!has) throw new LeftOut(`This relay is older: it has no ${what}.`);
}
