import { describe, expect, test } from "vitest";
import { openInMemory } from "./open-model-relays.ts";
import { LIFE_FAULTS } from "./planted-life-faults.ts";
import { runModel } from "./run-model.ts";

describe("the model notices that", () => {
  test.each(LIFE_FAULTS)("$name", async ({ plant }) => {
    const open = async () => {
      const cases = await openInMemory();
      return { ...cases, context: plant(cases.context) };
    };
    await expect(runModel({ steps: 10_000, seed: 1, open, shrinks: false })).rejects.toThrow(
      /Property failed/,
    );
  });
});
