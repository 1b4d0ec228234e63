import { assertRefusal, assertSame, assertStatus, partOf } from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit } from "../kit.ts";
import { itemOf, smallSounds } from "../sounds.ts";
import { FULL_RESULT as FULL } from "./reports.ts";
import { assertState } from "./state-of.ts";

const IMPORTED = { status: "imported" };

/** Results: what stays of them, whose they are, who sees them. */
export const RESULT_CHECKS: readonly Check[] = [
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

async function replaces(kit: Kit): Promise<void> {
  const made = await kit.waiting(smallSounds("a.wav", "b.wav"));
  const first = { "1": FULL, "2": { ...FULL, track: "Snare (App)" } };
  await kit.report(made, first);
  assertSame(
    partOf((await kit.status(made)).json, "results"),
    first,
    "results of the first report",
  );
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
