import { randomUUID } from "node:crypto";
import {
  assert,
  assertRefusal,
  assertSame,
  assertStatus,
  listOf,
  partOf,
  show,
} from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit, TestPackage } from "../kit.ts";
import { LIMITS } from "../limits.ts";
import { itemOf, manifestOf, smallSounds } from "../sounds.ts";
import { x } from "./edge-rows.ts";
import { GOOD, items } from "./refused-case.ts";

/** Keys, run ids, warnings and errors at their limits, and one past them. */
export const TEXT_EDGE_CHECKS: readonly Check[] = [
  key("idempotency-key-200", x(LIMITS.keyCharacters)),
  key("idempotency-key-1", "k"),
  wrongKey("idempotency-key-long", "201", x(LIMITS.keyCharacters + 1)),
  wrongKey("idempotency-key-empty", "0", ""),
  run("run-id-100", "a run_id of 100 characters takes a package", x(LIMITS.idCharacters)),
  run("run-id-1", "a run_id of 1 character takes a package", "r"),
  run("run-id-long", "a run_id of 101 characters is 422", x(LIMITS.idCharacters + 1), true),
  run("run-id-empty", "an empty run_id is 422", "", true),
  {
    id: "warnings-100",
    rule: "M5",
    title: "100 warnings are all there",
    run: async (kit) => {
      const warnings = await warningsOf(kit, LIMITS.warnings);
      assertSame(warnings.length, LIMITS.warnings, "The number of warnings");
      assertSame(partOf(warnings.at(-1), "code"), "PROPERTY_UNKNOWN", "The last code");
    },
  },
  {
    id: "at-most-100-warnings",
    rule: "M5",
    title: "of 101 warnings the last of 100 says how many more there are",
    run: async (kit) => {
      const warnings = await warningsOf(kit, LIMITS.warnings + 1);
      assertSame(warnings.length, LIMITS.warnings, "The number of warnings");
      assertSame(partOf(warnings.at(-1), "code"), "MORE_WARNINGS", "The last code");
      const message = show(partOf(warnings.at(-1), "message"));
      assert(/\b2\b/.test(message), `The last message is ${message}; it should say 2.`);
    },
  },
  {
    id: "warning-200-units",
    rule: "M5",
    title: "a warning on a property of any length has at most 200 characters",
    run: async (kit) => {
      for (const warning of await warningsOf(kit, LIMITS.warnings)) {
        const message = String(partOf(warning, "message"));
        assert(message.length <= LIMITS.warningUnits, `A message has ${message.length} units.`);
      }
    },
  },
  {
    id: "id-taken-100",
    rule: "M7",
    title: "an id of 100 characters that is sent again is cut before -2 is added",
    run: async (kit) => {
      const sounds = smallSounds("a.wav", "b.wav");
      const id = x(LIMITS.idCharacters);
      const more = { items: sounds.map((sound) => itemOf(sound, { id })) };
      const { announced } = await kit.uploading(sounds, more);
      const [warning] = listOf(announced.json, "warnings");
      assertSame(partOf(warning, "sound"), `${x(LIMITS.idCharacters - 2)}-2`, "The new id");
    },
  },
  {
    id: "error-80-units",
    rule: "E1",
    title: "errors about the longest names have at most 80 UTF-16 units",
    spec: "7: {error: string}, at most 80 characters",
    run: longErrors,
  },
];

function key(id: string, text: string): Check {
  return {
    id,
    rule: "M9",
    title: `an Idempotency-Key of ${text.length} characters counts to its last one`,
    run: async (kit) => {
      const app = await kit.leastBusyApp();
      const send = (sent: string) =>
        kit.announce(app, manifestOf(smallSounds("a.wav")), { "idempotency-key": sent });
      const first = await send(text);
      assertStatus(first, 201);
      assertSame((await send(text)).json, first.json, "The second answer");
      const other = partOf((await send(`${text.slice(0, -1)}-`)).json, "package_id");
      const isOther = other !== partOf(first.json, "package_id");
      assert(isOther, "A key with another last character gets the same package.");
    },
  };
}

function wrongKey(id: string, length: string, text: string): Check {
  return {
    id,
    rule: "M9",
    title: `an Idempotency-Key of ${length} characters is 422`,
    run: async (kit) => {
      const headers = { "idempotency-key": text };
      const manifest = manifestOf(smallSounds("a.wav"));
      const answer = await kit.announce(await kit.leastBusyApp(), manifest, headers);
      assertRefusal(answer, "IDEMPOTENCY_KEY_WRONG");
    },
  };
}

/** One package for all: each run takes it over. */
function run(id: string, title: string, runId: string, isRefused = false): Check {
  return {
    id,
    rule: "S2",
    title,
    run: async (kit) => {
      const made: TestPackage = await kit.share("package of run ids", () => kit.waiting());
      const answer = await kit.take(made, { run_id: runId, force: true });
      if (isRefused) assertRefusal(answer, "RUN_ID_WRONG");
      else assertStatus(answer, 200);
    },
  };
}

/** The warnings on so many unknown properties, one of them with a long name. */
function warningsOf(kit: Kit, count: number): Promise<readonly unknown[]> {
  return kit.share(`${count} warnings`, async () => {
    const names = Array.from({ length: count }, (_, at) => (at === 1 ? x(1000) : `extra${at}`));
    const more = Object.fromEntries(names.map((name) => [name, 1]));
    return listOf((await kit.uploading(undefined, more)).announced.json, "warnings");
  });
}

/** Causes errors that quote names and paths, none of which creates a package. */
async function longErrors(kit: Kit): Promise<void> {
  const app = await kit.leastBusyApp();
  const { token } = app;
  const file = `${x(LIMITS.fileCharacters - 4)}.wav`;
  const name = "\u{10400}".repeat(LIMITS.nameCharacters);
  const sound = { ...GOOD, file, name };
  const answers = [
    await kit.announce(app, items(sound, sound)),
    await kit.announce(app, { schema: `app2host/2${x(200, "0")}` }),
    await kit.announce(app, items({ ...GOOD, name, bytes: 0 })),
    await kit.call("PUT", `/packages/${randomUUID()}/files/${file}`, { token, body: "RIFF" }),
  ];
  if (kit.contract === "whole") answers.push(await kit.call("GET", `/${x(300)}`, { token }));
  // Whether they are refused is for other checks to judge.
  for (const { asked, json } of answers.filter(({ status }) => status >= 400)) {
    const error = partOf(json, "error");
    const isShort = typeof error === "string" && error.length <= LIMITS.errorUnits;
    assert(isShort, `${asked.slice(0, 60)}: its error is ${show(error)}.`);
  }
}
