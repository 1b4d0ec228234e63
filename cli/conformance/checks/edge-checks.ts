import {
  assertRefusal,
  assertSame,
  assertStatus,
  assertSuccess,
  listOf,
  partOf,
} from "../assert.ts";
import { Inconclusive, LeftOut } from "../assertion-failure.ts";
import type { Check } from "../check.ts";
import type { Kit } from "../kit.ts";
import { LIMITS } from "../limits.ts";
import { manifestOf, smallSounds } from "../sounds.ts";
import { GOOD, items } from "./refused-case.ts";
import { TEXT_EDGE_CHECKS } from "./text-edges.ts";

/** The sizes of an announcement at their limits, and one past them. The values of its fields are in the table of edges. */
export const EDGE_CHECKS: readonly Check[] = [
  {
    id: "sounds-32",
    rule: "M1",
    title: "a package of 32 sounds goes through, and the importer gets all of them",
    spec: "2.3 items: 1 to 32 entries",
    run: thirtyTwo,
  },
  largest("whole-200-mb", "a sound of exactly 209715200 bytes goes through", [LIMITS.packageBytes]),
  largest(
    "total-200-mb",
    "sizes that add up to exactly 209715200 bytes go through, one of them 1",
    [1, LIMITS.packageBytes - 1],
  ),
  body("body-1000000", "a manifest of 1000000 bytes goes through", 1_000_000),
  body("body-1-mib", "a manifest of exactly 1048576 bytes goes through", LIMITS.bodyBytes),
  {
    id: "body-too-large",
    rule: "M1",
    title: "a manifest of 1048577 bytes is 413",
    run: async (kit) => {
      const answer = await kit.announce(await kit.leastBusyApp(), padded(LIMITS.bodyBytes + 1));
      assertRefusal(answer, "BODY_TOO_LARGE");
      assertSame(partOf(answer.json, "problems"), undefined, "problems");
    },
  },
  {
    id: "body-too-large-unsaid",
    rule: "M1",
    title: "a manifest of 1048577 bytes without Content-Length is 413",
    run: async (kit) => {
      const app = await kit.leastBusyApp();
      const { token } = app;
      const call = { token, body: padded(LIMITS.bodyBytes + 1), isChunked: true };
      const answer = await kit.call("POST", "/packages", call);
      kit.keep(answer, token);
      assertRefusal(answer, "BODY_TOO_LARGE");
    },
  },
  ...TEXT_EDGE_CHECKS,
];

async function thirtyTwo(kit: Kit): Promise<void> {
  const files = Array.from({ length: LIMITS.sounds }, (_, at) => `${at}.wav`);
  const app = await kit.leastBusyApp();
  const sounds = smallSounds(...files);
  const announced = await kit.announce(app, manifestOf(sounds));
  assertSuccess(announced, 201);
  const paths = Object.keys(Object(partOf(announced.json, "upload")));
  const absent = files.filter((file) => !paths.includes(file));
  assertSame(absent, [], "The list of files that upload lacks");
  if (kit.contract === "public") return;
  const made = kit.packageOf(app, sounds, announced);
  for (const sound of sounds) assertSuccess(await kit.put(made, sound), 200);
  assertSuccess(await kit.commit(made), 200);
  const listed = listOf(partOf(await kit.listedAs(made), "manifest"), "items");
  const got = new Set(listed.map((one) => partOf(one, "file")));
  const lost = files.filter((file) => !got.has(file));
  assertSame(lost, [], "The list of files that the importer lacks");
}

/** A package of the most bytes, one at a time: a computer has room for few. */
function largest(id: string, title: string, sizes: readonly number[]): Check {
  return {
    id,
    rule: "M3",
    title,
    spec: "2.3 together at most 200 MB (209715200 bytes); 2.4 bytes: 1 to 209715200",
    run: (kit) =>
      kit.inTurn("largest packages", async () => {
        const app = await kit.leastBusyApp();
        const sounds = sizes.map((bytes, at) => ({ ...GOOD, file: `${at}.wav`, bytes }));
        const announced = await kit.announce(app, items(...sounds));
        if (announced.status === 507) {
          const reason = "The relay has no room for 200 MB now.";
          throw kit.contract === "public" ? new LeftOut(reason) : new Inconclusive(reason);
        }
        assertSuccess(announced, 201);
        await kit.withdraw(kit.packageOf(app, [], announced));
      }),
  };
}

/** A valid manifest of exactly so many bytes. */
function padded(bytes: number): string {
  return JSON.stringify(manifestOf(smallSounds("a.wav"))).padEnd(bytes);
}

function body(id: string, title: string, bytes: number): Check {
  return {
    id,
    rule: "M1",
    title,
    run: async (kit) =>
      assertStatus(await kit.announce(await kit.leastBusyApp(), padded(bytes)), 201),
  };
}
