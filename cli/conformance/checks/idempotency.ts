import { randomUUID } from "node:crypto";
import { assert, assertRefusal, assertSame, assertStatus, partOf } from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit, TestApp } from "../kit.ts";
import { manifestOf, smallSounds } from "../sounds.ts";

const GOOD = JSON.stringify(manifestOf(smallSounds("one.wav")));
const BAD = JSON.stringify({ schema: "app2host/1", items: [] });

/** The reach of an Idempotency-Key. */
export const IDEMPOTENCY_CHECKS: readonly Check[] = [
  {
    id: "idempotent-after-refusal",
    rule: "M9",
    title: "a refusal uses no Idempotency-Key up: a good manifest under the same key is 201",
    run: async (kit) => {
      const [app, key] = [await kit.leastBusyApp(), randomUUID()];
      for (const body of [BAD, '{"schema":']) {
        const refused = await announce(kit, app, key, body);
        assert(refused.status >= 400, `A manifest that is wrong is answered ${refused.status}.`);
      }
      const first = await announce(kit, app, key, GOOD);
      assertStatus(first, 201);
      const again = await announce(kit, app, key, GOOD);
      assertSame(again.json, first.json, "The answer to the same once more");
    },
  },
  {
    id: "idempotent-of-another-app",
    rule: "M9",
    title: "the same Idempotency-Key of another app makes a package of its own",
    run: async (kit) => {
      const key = randomUUID();
      const [first, second] = [await kit.app("first"), await kit.app("second")];
      const own = await announce(kit, first, key, GOOD);
      const other = await announce(kit, second, key, GOOD);
      assertStatus(other, 201);
      const [one, two] = [own, other].map(({ json }) => partOf(json, "package_id"));
      assert(one !== two, "Both apps got the same package.");
    },
  },
  {
    id: "idempotent-after-commit",
    rule: "M9",
    title: "a replay is the same 201 also after the commit, and changes nothing",
    run: async (kit) => {
      const [app, key] = [await kit.leastBusyApp(), randomUUID()];
      const sounds = smallSounds("one.wav");
      const first = await announce(kit, app, key, GOOD);
      const made = kit.packageOf(app, sounds, first);
      for (const sound of sounds) await kit.put(made, sound);
      await kit.commit(made);
      const again = await announce(kit, app, key, GOOD);
      assertStatus(again, 201);
      assertSame(partOf(again.json, "package_id"), made.id, "package_id of the replay");
      assertSame(partOf((await kit.status(made)).json, "status"), "waiting", "The status");
    },
  },
  {
    id: "idempotency-keys-differ",
    rule: "M9",
    title: "the same manifest under another key, or without one, makes another package",
    run: async (kit) => {
      const app = await kit.leastBusyApp();
      const answers = [
        await announce(kit, app, randomUUID(), GOOD),
        await announce(kit, app, randomUUID(), GOOD),
        await kit.announce(app, GOOD),
      ];
      for (const answer of answers) assertStatus(answer, 201);
      const ids = answers.map(({ json }) => partOf(json, "package_id"));
      assertSame(new Set(ids).size, answers.length, "The number of packages");
      const [reused] = [await announce(kit, app, "k".repeat(200), GOOD)];
      assertStatus(reused, 201);
      assertRefusal(
        await announce(kit, app, "k".repeat(200), `${GOOD} `),
        "IDEMPOTENCY_KEY_REUSED",
      );
    },
  },
];

function announce(kit: Kit, app: TestApp, key: string, body: string) {
  return kit.announce(app, body, { "idempotency-key": key });
}
