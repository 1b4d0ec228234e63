import type { KnownApp } from "../domain/pairing/known-tokens.ts";
import { readPackagesLeft } from "../domain/packages/room.ts";
import type { Call } from "./call.ts";

/**
 * Adds what the limit of packages leaves to the headers that say what the limit of calls leaves (rule L1). While the
 * stores can't tell, the headers don't say it.
 */
export async function showPackagesLeft(call: Call, app: KnownApp): Promise<void> {
  const left = await readPackagesLeft(call.context, app, call.caller).catch(() => undefined);
  if (left === undefined) return;
  const { max, remaining, seconds } = left;
  addItem(call, "ratelimit-policy", `"packages";q=${max};w=3600`);
  addItem(call, "ratelimit", `"packages";r=${remaining};t=${seconds}`);
}

function addItem({ reply }: Call, name: string, item: string): void {
  reply.header(name, `${String(reply.getHeader(name))}, ${item}`);
}
