import { keysOf } from "../../contracts/relay/sounds/sounds-case.ts";
import type { RunningRelay } from "../running-relay.ts";

/** The key of every sound that a relay stores, finished or not. */
export async function storedKeys({ relay }: RunningRelay): Promise<string[]> {
  return keysOf(relay.context.sounds);
}
