import type { Context } from "../../relay/domain/context.ts";

/** Notes each call of a relay's records from now on. Returns a function that gives their names since it was last called. */
export function countStoreCalls({
  pairings,
  packages,
  soundKeys,
  operatorRecords,
}: Context): () => readonly string[] {
  let calls: string[] = [];
  for (const port of [pairings, packages, soundKeys, operatorRecords ?? {}]) {
    for (const [name, member] of Object.entries(port)) {
      if (typeof member !== "function") continue;
      const counted = (...given: unknown[]): unknown => {
        calls.push(name);
        return Reflect.apply(member, port, given);
      };
      Reflect.set(port, name, counted);
    }
  }
  return () => {
    const taken = calls;
    calls = [];
    return taken;
  };
}
