import { expect, test } from "vitest";
import { type Attack, isHeld, isWithin } from "./attack.ts";
import { AttackedRelay } from "./attacked-relay.ts";

/** Each attack, in its short form, finds that a server without any protection breaks the promise. */
export function testThatBreaksAreNoticed(attacks: readonly Attack[]): void {
  test.each(attacks.map((attack) => [attack.name, attack] as const))(
    "%s notices a server that breaks its promise",
    async (_, attack) => {
      const outcome = await attack.run({
        isShort: true,
        openRelay: (options) => AttackedRelay.open({ ...options, file: "naive" }),
      });
      expect(outcome.offered).toBeGreaterThanOrEqual(outcome.leastOffered);
      expect(outcome.measures.filter((measure) => !isWithin(measure))).not.toEqual([]);
      expect(isHeld(outcome)).toBe(false);
    },
  );
}
