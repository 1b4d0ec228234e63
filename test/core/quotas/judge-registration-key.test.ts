import { expect, test } from "vitest";
import { judgeRegistrationKey } from "../../../core/quotas/judge-registration-key.ts";

const KEY = { name: "studio", endsAt: null, maxUses: null, uses: 9, removedAt: null };

test.each([
  [{}, undefined],
  [{ endsAt: 101 }, undefined],
  [{ endsAt: 100 }, "ended"],
  [{ maxUses: 10 }, undefined],
  [{ maxUses: 9 }, "used-up"],
  [{ maxUses: 9, endsAt: 100 }, "ended"],
  [{ maxUses: 9, endsAt: 100, removedAt: 1 }, "removed"],
])("[AD13] a registration key with %j is judged %s", (more, refused) => {
  expect(judgeRegistrationKey({ ...KEY, ...more }, 100)).toBe(refused);
});
