import { assertRefusal, assertSame, assertStatus, partOf } from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit } from "../kit.ts";
import { itemOf, smallSounds } from "../sounds.ts";
import { assertState } from "./state-of.ts";

const IMPORTED = { status: "imported" };
const RUN = { run_id: "run-1" };
const RIVAL = { run_id: "run-2" };
/** All that a report can say of a sound. */
const FULL = {
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
  {
    id: "report-replaces",
    rule: "S3",
    title: "a newer report replaces the older one wholly: nothing of that stays",
    run: replaces,
  },
  {
    id: "report-states",
    rule: "S3",
    title: "the last report says what the package is, whatever it was before",
    run: async (kit) => {
      const made = await kit.waiting(smallSounds("a.wav", "b.wav"));
      for (const [first, second, status] of [
        ["imported", "imported", "imported"],
        ["imported", "failed", "partial"],
        ["skipped", "failed", "failed"],
        ["skipped", "imported", "partial"],
        ["imported", "imported", "imported"],
        ["failed", "skipped", "failed"],
      ] as const) {
        const results = { "1": { status: first }, "2": { status: second } };
        const answer = await kit.report(made, results);
        assertSame(answer.json, { status }, "The answer to the report");
        await assertState(kit, made, status);
        assertSame(partOf(await kit.listedAs(made), "status"), status, "The status in the list");
      }
    },
  },
  {
    id: "report-ids",
    rule: "S3",
    title: "results go by the sounds' own ids, whatever order they come in",
    run: async (kit) => {
      const sounds = smallSounds("a.wav", "b.wav");
      const items = sounds.map((sound, at) => itemOf(sound, { id: ["snare", "2 kick"][at] }));
      const made = await kit.waiting(sounds, { items });
      assertRefusal(await kit.report(made, { "1": IMPORTED }), "SOUND_UNKNOWN");
      const results = {
        "2 kick": { status: "imported", track: "Kick" },
        snare: { status: "skipped", error: "It is silent." },
      };
      assertStatus(await kit.report(made, results), 200);
      assertSame(partOf((await kit.status(made)).json, "results"), results, "results");
    },
  },
  {
    id: "report-refused-changes-nothing",
    rule: "S3",
    title: "a refused report leaves the report before it",
    run: async (kit) => {
      const made = await kit.waiting();
      await kit.report(made, { "1": FULL });
      const refused = await kit.report(made, { "1": { status: "failed" }, "2": IMPORTED });
      assertRefusal(refused, "SOUND_UNKNOWN");
      await assertState(kit, made, "imported");
      assertSame(partOf((await kit.status(made)).json, "results"), { "1": FULL }, "results");
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
  {
    id: "report-kept",
    rule: "I2",
    title: "an app never sees `kept` in its results",
    run: async (kit) => {
      const made = await kit.waiting();
      assertStatus(await kit.report(made, { "1": { ...FULL, kept: true } }), 200);
      const { json } = await kit.status(made);
      assertSame(partOf(json, "results", "1", "kept"), undefined, "kept");
    },
  },
];

async function reportImported(kit: Kit): Promise<void> {
  const made = await kit.waiting();
  const answer = await kit.report(made, { "1": FULL });
  assertStatus(answer, 200);
  assertSame(answer.json, { status: "imported" }, "The answer to the report");
  const { json } = await kit.status(made);
  assertSame(partOf(json, "status"), "imported", "The status");
  assertSame(partOf(json, "results"), { "1": FULL }, "results");
}

async function replaces(kit: Kit): Promise<void> {
  const made = await kit.waiting(smallSounds("a.wav", "b.wav"));
  await kit.report(made, { "1": FULL, "2": { ...FULL, track: "Snare (App)" } });
  const second = { status: "imported", track: "Bass (App)" };
  assertStatus(await kit.report(made, { "1": second }), 200);
  const read = [(await kit.status(made)).json, (await kit.importable(made)).json];
  for (const json of read) {
    assertSame(partOf(json, "status"), "partial", "The status");
    assertSame(partOf(json, "results", "1"), second, "The result of the first sound");
    assertSame(partOf(json, "results", "2", "status"), "failed", "The status of the other sound");
    for (const name of ["track", "file", "path", "notes", "differences"]) {
      assertSame(partOf(json, "results", "2", name), undefined, `${name} of the other sound`);
    }
  }
}
