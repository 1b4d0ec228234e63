import { assertRefusal, assertSame, assertStatus, partOf } from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit } from "../kit.ts";
import { smallSounds } from "../sounds.ts";
import { assertState } from "./state-of.ts";

const IMPORTED = { status: "imported" };
const SKIPPED = { status: "skipped", error: "The disk is full." };
const RUN = { run_id: "run-1" };
const RIVAL = { run_id: "run-2" };
/** All that a report can say of a sound. */
export const FULL_RESULT = {
  status: "imported",
  track: "Kick (App)",
  file: "Kick.wav",
  path: "Untitled/Kick.wav",
  notes: ["Live guessed the tempo."],
  differences: [{ setting: "gain_db", asked: -3, got: 0 }],
};

/** Reports of an import. */
export const REPORT_CHECKS: readonly Check[] = [
  {
    id: "report-imported",
    rule: "S3",
    title: "every sound imported: imported, and the app reads each sound's result",
    spec: "3 all sounds imported: imported; the result per sound is readable in the status",
    run: async (kit) => {
      const { answer, json } = await reportedFully(kit);
      assertStatus(answer, 200);
      assertSame(answer.json, { status: "imported" }, "The answer to the report");
      assertSame(partOf(json, "status"), "imported", "The status");
      assertSame(partOf(json, "results", "1", "status"), "imported", "The sound's status");
    },
  },
  {
    id: "results-whole",
    rule: "S7",
    title: "an app reads each sound's status, track, file, path, notes and differences",
    run: async (kit) => {
      const { json } = await reportedFully(kit);
      assertSame(partOf(json, "results"), { "1": FULL_RESULT }, "results");
    },
  },
  {
    id: "report-partial",
    rule: "S3",
    title: "some sounds imported: partial; one that is left out has failed",
    spec: "3 only some sounds imported: partial",
    run: async (kit) => {
      await kit.device();
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
      const { json } = await reportedSkipped(kit);
      assertSame(partOf(json, "status"), "failed", "The status");
    },
  },
  {
    id: "results-skipped",
    rule: "S7",
    title: "an app reads that a sound was skipped, and why",
    run: async (kit) => {
      const { json } = await reportedSkipped(kit);
      assertSame(partOf(json, "results"), { "1": SKIPPED }, "results");
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
  {
    id: "report-of-another-computer",
    rule: "S9",
    title: "a report from another computer is 404 and changes nothing",
    run: async (kit) => {
      const made = await kit.waiting();
      const { token } = await kit.device("Conformance kit, doors");
      const path = `/importer/packages/${made.id}/results`;
      const body = { results: { "1": IMPORTED } };
      assertRefusal(await kit.call("POST", path, { token, body }), "PACKAGE_UNKNOWN");
      await assertState(kit, made, "waiting");
    },
  },
];

/** The status of a package whose one sound was skipped, once for its checks. */
function reportedSkipped(kit: Kit) {
  return kit.share("reported skipped", async () => {
    const made = await kit.waiting();
    await kit.report(made, { "1": SKIPPED });
    return kit.status(made);
  });
}

/** A package whose one sound was reported with all that a result can have, once for its checks. */
function reportedFully(kit: Kit) {
  return kit.share("reported fully", async () => {
    await kit.device();
    const made = await kit.waiting();
    const answer = await kit.report(made, { "1": FULL_RESULT });
    return { answer, json: (await kit.status(made)).json };
  });
}
