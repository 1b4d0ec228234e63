import { listsSounds } from "../../../relay/domain/ports.ts";
import type { RunningRelay } from "../running-relay.ts";

/** The key of every sound that a relay stores, finished or not. */
export async function storedKeys({ relay }: RunningRelay): Promise<string[]> {
  const { sounds } = relay.context;
  if (!listsSounds(sounds)) throw new Error("The store can list its sounds.");
  const keys: string[] = [];
  for await (const key of sounds.keys()) keys.push(key);
  return keys;
}
