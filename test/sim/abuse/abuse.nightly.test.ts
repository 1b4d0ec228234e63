import { expect, test } from "vitest";
import { isHeld, isWithin } from "./attack.ts";
import { Attacked } from "./attacked-relay.ts";
import { ATTACKS } from "./attacks.ts";

test.each(ATTACKS.map((attack) => [attack.name, attack] as const))(
  "%s notices a server that breaks its promise",
  async (_, attack) => {
    const outcome = await attack.run({
      isShort: true,
      openRelay: (options) => Attacked.open({ ...options, file: "naive" }),
    });
    expect(outcome.offered).toBeGreaterThanOrEqual(outcome.leastOffered);
    expect(outcome.measures.filter((measure) => !isWithin(measure))).not.toEqual([]);
    expect(isHeld(outcome)).toBe(false);
  },
);
