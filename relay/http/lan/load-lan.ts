import { hostname } from "node:os";
import { localNameOf } from "../host-guard.ts";
import type { Lan, LanOptions } from "./lan.ts";

/** Loads the switch for the local network only now: few relays need it. */
export async function loadLan(options: Omit<LanOptions, "name">): Promise<Lan> {
  const { Lan } = await import("./lan.ts");
  return new Lan({ ...options, name: localNameOf(hostname()) });
}
