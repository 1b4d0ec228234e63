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
import { smallSounds } from "../sounds.ts";
import { assertState } from "./states.ts";

const IMPORTED = { status: "imported" };
const RUN = { run_id: "run-1" };
const RIVAL = { run_id: "run-2" };

/** Checks of importing, from the take to the report. */
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
  {
    id: "report-imported",
    rule: "S3",
    title: "every sound imported: imported, and the app reads each sound's result",
    run: reportImported,
  },
  {
    id: "report-partial",
    rule: "S3",
    title: "some sounds imported: partial; one that is left out has failed",
    run: async (kit) => {
      const made = await kit.waiting(smallSounds("a.wav", "b.wav"));
      const answer = await kit.report(made, { "1": IMPORTED });
      assertStatus(answer, 200);
      assertSame(partOf(answer.json, "status"), "partial", "The answer's status");
      const { json } = await kit.status(made);
      assertSame(partOf(json, "status"), "partial", "The status");
      assertSame(partOf(json, "results", "2", "status"), "failed", "The result of the other sound");
    },
  },
  {
    id: "report-failed",
    rule: "S3",
    title: "no sound imported: failed",
    run: async (kit) => {
      const made = await kit.waiting();
      const error = "The disk is full.";
      await kit.report(made, { "1": { status: "skipped", error } });
      const { json } = await kit.status(made);
      assertSame(partOf(json, "status"), "failed", "The status");
      assertSame(partOf(json, "results", "1"), { status: "skipped", error }, "The result");
    },
  },
  {
    id: "report-unknown-sound",
    rule: "S3",
    title: "a report on a sound that the package does not have is 422",
    run: async (kit) => {
      const made = await kit.waiting();
      assertRefusal(await kit.report(made, { "1": IMPORTED, "2": IMPORTED }), "SOUND_UNKNOWN");
      await assertState(kit, made, "waiting");
    },
  },
  {
    id: "report-malformed",
    rule: "S3",
    title: "a report without a status for a sound is 422",
    run: async (kit) => {
      const made = await kit.waiting();
      assertRefusal(await kit.report(made, { "1": {} }), "RESULTS_WRONG");
      assertRefusal(await kit.report(made, [IMPORTED]), "RESULTS_WRONG");
    },
  },
  {
    id: "report-again",
    rule: "S3",
    title: "the same report again is 200, and a newer one replaces the older",
    run: async (kit) => {
      const made = await kit.waiting();
      for (const status of ["failed", "failed", "imported"]) {
        assertStatus(await kit.report(made, { "1": { status } }), 200);
        await assertState(kit, made, status);
      }
    },
  },
  {
    id: "report-ends-lease",
    rule: "S3",
    title: "a report ends the lease",
    run: async (kit) => {
      const made = await kit.waiting();
      await kit.take(made, RUN);
      await kit.report(made, { "1": IMPORTED });
      assertStatus(await kit.take(made, RIVAL), 200);
    },
  },
  {
    id: "report-deleted",
    rule: "S9",
    title: "a report on a withdrawn package is 404",
    run: async (kit) => {
      const made = await kit.waiting();
      await kit.withdraw(made);
      assertRefusal(await kit.report(made, { "1": IMPORTED }), "PACKAGE_UNKNOWN");
    },
  },
];

async function exclusive(kit: Kit): Promise<void> {
  const made = await kit.waiting();
  await kit.take(made, RUN);
  const refused = await kit.take(made, RIVAL);
  assertRefusal(refused, "RUN_ELSEWHERE");
  const seconds = partOf(refused.json, "expires_in");
  assert(Number.isInteger(seconds) && Number(seconds) > 0, `expires_in is ${show(seconds)}.`);
  assertSame(refused.headers["retry-after"], String(seconds), "Retry-After");
  assertMatches(partOf(refused.json, "error"), new RegExp(`\\b${String(seconds)}\\b`), "error");
}

async function reportImported(kit: Kit): Promise<void> {
  const made = await kit.waiting();
  const result = {
    status: "imported",
    track: "Kick (App)",
    file: "Kick.wav",
    path: "Untitled/Kick.wav",
    notes: ["Live guessed the tempo."],
    differences: [{ setting: "gain_db", asked: -3, got: 0 }],
  };
  const answer = await kit.report(made, { "1": result });
  assertStatus(answer, 200);
  assertSame(answer.json, { status: "imported" }, "The answer to the report");
  const { json } = await kit.status(made);
  assertSame(partOf(json, "status"), "imported", "The status");
  assertSame(partOf(json, "results"), { "1": result }, "results");
}
