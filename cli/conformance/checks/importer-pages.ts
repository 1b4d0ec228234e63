import { Buffer } from "node:buffer";
import { assert, assertRefusal, assertSame, assertStatus, listOf, partOf } from "../assert.ts";
import type { Check } from "../check.ts";

const LIST = "/importer/packages";
const MAX_RESULTS_BYTES = 65_536;

/** The pages of the importer's list, and results, which are not in it. */
export const LIST_CHECKS: readonly Check[] = [
  {
    id: "packages-results",
    rule: "I5",
    title: "a package's results are in its own answer, and not in the list",
    run: async (kit) => {
      const made = await kit.waiting();
      await kit.report(made, { "1": { status: "imported", track: "Kick" } });
      const listed = await kit.listedAs(made);
      assertSame(partOf(listed, "results"), undefined, "results in the list");
      const answer = await kit.importable(made);
      assertStatus(answer, 200);
      const wanted = { "1": { status: "imported", track: "Kick" } };
      assertSame(partOf(answer.json, "results"), wanted, "results");
    },
  },
  {
    id: "packages-end",
    rule: "I5",
    title: "the last page has null as next, and a cursor that no page had is 422",
    run: async (kit) => {
      const { token } = await kit.device("Conformance kit, pages");
      const answer = await kit.call("GET", `${LIST}?after=`, { token });
      assertSame(listOf(answer.json, "packages"), [], "packages");
      assertSame(partOf(answer.json, "next"), null, "next");
      for (const nonsense of ["nonsense", "%00", "1'"]) {
        const refused = await kit.call("GET", `${LIST}?after=${nonsense}`, { token });
        assertRefusal(refused, "CURSOR_WRONG");
      }
    },
  },
  {
    id: "packages-whole",
    rule: "I5",
    title: "an importer that doesn't page gets 426 instead of a part of the list",
    run: async (kit) => {
      const { token } = await kit.device();
      const headers = { "x-soundferry-importer": "0.1.0; api=1" };
      assertRefusal(await kit.call("GET", LIST, { token, headers }), "IMPORTER_TOO_OLD");
      assertStatus(await kit.call("GET", `${LIST}?after=`, { token, headers }), 200);
    },
  },
  {
    id: "results-size",
    rule: "S7",
    title: "results that are too long are shortened, and the same report again changes nothing",
    run: async (kit) => {
      const made = await kit.waiting();
      const notes = Array.from({ length: 100 }, () => "\u3042".repeat(500));
      const results = { "1": { status: "imported", track: "Kick", notes } };
      assertStatus(await kit.report(made, results), 200);
      const first = partOf((await kit.status(made)).json, "results");
      const bytes = Buffer.byteLength(JSON.stringify(first));
      assert(bytes <= MAX_RESULTS_BYTES, `The results have ${bytes} bytes.`);
      assertSame(partOf(first, "1", "track"), "Kick", "track");
      assertStatus(await kit.report(made, results), 200);
      const again = partOf((await kit.status(made)).json, "results");
      assertSame(again, first, "results after the same report");
    },
  },
];
