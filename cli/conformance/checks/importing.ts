import {
  assert,
  assertExpiry,
  assertMatches,
  assertRefusal,
  assertSame,
  assertStatus,
  partOf,
  show,
} from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit } from "../kit.ts";
import { assertState } from "./state-of.ts";

const IMPORTED = { status: "imported" };
const RUN = { run_id: "run-1" };
const RIVAL = { run_id: "run-2" };

/** Takes. */
export const IMPORT_CHECKS: readonly Check[] = [
  {
    id: "take",
    rule: "S2",
    title: "a take is 200 with the end of the lease, and the package still waits",
    run: async (kit) => {
      const made = await kit.waiting();
      const answer = await kit.take(made, RUN);
      assertStatus(answer, 200);
      assertExpiry(answer.json, "The take");
      await assertState(kit, made, "waiting");
    },
  },
  {
    id: "take-exclusive",
    rule: "S2",
    title: "another run gets 409 and the seconds left",
    run: exclusive,
  },
  {
    id: "take-again",
    rule: "S2",
    title: "the same run may take again, and a device without run ids counts as one run",
    run: async (kit) => {
      const [named, unnamed] = [await kit.waiting(), await kit.waiting()];
      for (const take of [
        () => kit.take(named, RUN),
        () => kit.take(named, RUN),
        () => kit.take(unnamed),
        () => kit.take(unnamed),
      ]) {
        assertStatus(await take(), 200);
      }
    },
  },
  {
    id: "take-force",
    rule: "S2",
    title: "a take with force takes over",
    run: async (kit) => {
      const made = await kit.waiting();
      await kit.take(made, RUN);
      assertStatus(await kit.take(made, { ...RIVAL, force: true }), 200);
      assertRefusal(await kit.take(made, RUN), "RUN_ELSEWHERE");
    },
  },
  {
    id: "take-uncommitted",
    rule: "S2",
    title: "a package that is uploading can't be taken: 409",
    run: async (kit) =>
      assertRefusal(await kit.take(await kit.uploaded(), RUN), "PACKAGE_NOT_COMMITTED"),
  },
  {
    id: "take-imported",
    rule: "S2",
    title: "an imported package can be taken again",
    run: async (kit) => {
      const made = await kit.waiting();
      await kit.report(made, { "1": IMPORTED });
      assertStatus(await kit.take(made, RUN), 200);
    },
  },
  {
    id: "take-against-take-back",
    rule: "S2",
    title: "of a take and a withdrawal at once, one wins",
    run: async (kit) => {
      const made = await kit.waiting();
      const [taken, back] = await Promise.all([kit.take(made, RUN), kit.withdraw(made)]);
      const statuses = `${taken.status} and ${back.status}`;
      assert(["200 and 409", "404 and 200"].includes(statuses), `The answers are ${statuses}.`);
    },
  },
];

async function exclusive(kit: Kit): Promise<void> {
  const made = await kit.waiting();
  await kit.take(made, RUN);
  const refused = await kit.take(made, RIVAL);
  assertRefusal(refused, "RUN_ELSEWHERE");
  assertRefusal(await kit.take(made, { run_id: RUN.run_id.toUpperCase() }), "RUN_ELSEWHERE");
  const seconds = partOf(refused.json, "expires_in");
  assert(Number.isInteger(seconds) && Number(seconds) > 0, `expires_in is ${show(seconds)}.`);
  assertSame(refused.headers["retry-after"], String(seconds), "Retry-After");
  assertMatches(partOf(refused.json, "error"), new RegExp(`\\b${String(seconds)}\\b`), "error");
}
