/**
 * The contract that a run tries: all that the rules in `docs/rules` promise, or only the public specification, which
 * leaves much of it open.
 */
export type Contract = "whole" | "public";

/** The origin of every call of a public run: a relay may name it instead of any, and only to a page that calls. */
export const PAGE_ORIGIN = "https://app.example";

/** The calls that the public specification shows; what is at other addresses, it leaves open. */
const SHOWN =
  /^(POST \/pair\/claim|GET \/app\/me|POST \/app\/unpair|POST \/packages|PUT \/packages\/[^/]+\/files\/[^/]+|POST \/packages\/[^/]+\/commit|GET \/packages\/[^/]+\/status|DELETE \/packages\/[^/]+)$/;

/** True for a call that the public specification shows. */
export function isShown(method: string, path: string): boolean {
  return SHOWN.test(`${method} ${path.split("?")[0]}`);
}
