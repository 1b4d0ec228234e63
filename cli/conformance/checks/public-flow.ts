import {
  assert,
  assertMatches,
  assertRefusal,
  assertStatus,
  assertSuccess,
  partOf,
  show,
} from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit } from "../kit.ts";
import { pathOfFile, pathOfPackage } from "../relay-calls.ts";
import { itemOf, makeWav, manifestOf, smallSounds } from "../sounds.ts";
import { assertAllRefused, bareFlow, dressedFlow, type Flow } from "./plain-flow.ts";

/** The flow of the public specification, call by call, and what it says about every call. */
export const FLOW_CHECKS: readonly Check[] = [
  {
    id: "code-with-space",
    rule: "P3",
    title: "a code may have a space in its middle",
    spec: "2.1 it may be sent with or without a space in the middle",
    isPublicOnly: true,
    run: async (kit) => assertStatus((await kit.givenCode()).spaced, 200),
  },
  {
    id: "code-works-once",
    rule: "P4",
    title: "a used code is 404",
    spec: "2.1 it works once; 4 a used code: 404",
    isPublicOnly: true,
    run: async (kit) => {
      const { code } = await kit.givenCode();
      const body = { code, app_name: "Conformance again", app_id: "conformance-again" };
      assertRefusal(await kit.claim(body), "CODE_UNKNOWN");
    },
  },
  {
    id: "flow-bare",
    rule: "M10",
    title: "uploads without a Content-Type and a commit without a body are 200",
    spec: "4 commit: no body needed; PUT: Content type audio/wav may be sent",
    run: async (kit) => assertAll200(await bareFlow(kit)),
  },
  {
    id: "flow-dressed",
    rule: "M10",
    title: "uploads as audio/wav and a commit with {} are 200",
    spec: "4 commit: an empty JSON object may be sent; PUT: Content type audio/wav may be sent",
    run: async (kit) => assertAll200(await dressedFlow(kit)),
  },
  {
    id: "ids-differ",
    rule: "M8",
    title: "each package has an id of its own",
    spec: "2.2 the server gives every package its own id",
    run: async (kit) => {
      const [one, other] = [await bareFlow(kit), await dressedFlow(kit)];
      assert(one.made.id !== other.made.id, `Two packages have the id ${show(one.made.id)}.`);
    },
  },
  {
    id: "refusal-names-sound",
    rule: "M3",
    title: "the refusal of a sound names it",
    spec: "7 422: the text names the sound and the problem",
    isPublicOnly: true,
    run: async (kit) => {
      const [good, bad] = smallSounds("one.wav", "two.wav").map((sound) => itemOf(sound));
      const items = [good, { ...bad, id: "snare", name: "Snare", bytes: 0 }];
      await assertSays(kit, { items }, /\b2\b|\b2nd\b|second|snare|two\.wav/i);
    },
  },
  {
    id: "newer-schema-says-update",
    rule: "M2",
    title: "the refusal of a newer format names it and says to update the importer",
    spec: "7 422: names that format and tells the user to update the importer",
    isPublicOnly: true,
    run: (kit) =>
      assertSays(kit, { schema: "app2host/2" }, /app2host\/2.*updat|updat.*app2host\/2/i),
  },
  {
    id: "withdrawn",
    rule: "S6",
    title: "a package that was withdrawn no longer waits",
    spec: "4 DELETE: takes a package back",
    run: async (kit) => {
      const { made } = await dressedFlow(kit);
      assertSuccess(await kit.withdraw(made), 200);
      const { asked, status, json } = await kit.status(made);
      const waits = status === 200 && partOf(json, "status") === "waiting";
      assert(!waits, `After DELETE, ${asked} still says "waiting".`);
    },
  },
  {
    id: "unknown-token-everywhere",
    rule: "A2",
    title: "an unknown token is 401 at every call",
    spec: "5 every other call carries the token; 7 401: token unknown",
    run: async (kit) => {
      const { made } = await bareFlow(kit);
      await assertAllRefused(kit, made, `sfa_${"A".repeat(43)}`);
      await assertAllRefused(kit, made, changed(made.app.token));
    },
  },
  {
    id: "no-other-401",
    rule: "A2",
    title: "with a good token nothing is 401, whatever is wrong",
    spec: "5 no other problem answers 401",
    run: async (kit) => {
      const { id, app, pathOf } = await kit.uploading();
      const wav = makeWav({ frames: 9 });
      for (const [method, path, body] of [
        ["GET", "/packages/none/status"],
        ["POST", "/packages/none/commit"],
        ["PUT", "/packages/none/files/a.wav", wav],
        ["PUT", pathOfFile(id, "other.wav"), wav],
        ["PUT", pathOf("one.wav"), wav],
        ["POST", `${pathOfPackage(id)}/commit`],
        ["POST", "/packages", '{"schema":'],
        ["POST", "/packages", "{}"],
      ] as const) {
        const { asked, status } = await kit.call(method, path, { token: app.token, body });
        assert(status !== 401, `${asked} answered 401 to a good token.`);
      }
    },
  },
  {
    id: "unpaired-everywhere",
    rule: "P5",
    title: "after POST /app/unpair the token is 401 at every call",
    spec: "4 POST /app/unpair: revokes the token of this call",
    isLast: true,
    run: async (kit) => {
      if (kit.contract === "public") await kit.givenCode();
      const { made } = await bareFlow(kit);
      const { token } = made.app;
      // Afterwards nothing can withdraw them.
      await kit.withdrawAll();
      assertSuccess(await kit.call("POST", "/app/unpair", { token }), 200);
      await assertAllRefused(kit, made, token);
    },
  },
];

/** Checks that a manifest with this change is refused with a text like the pattern. */
async function assertSays(kit: Kit, change: object, pattern: RegExp): Promise<void> {
  const manifest = manifestOf(smallSounds("one.wav"), change);
  const answer = await kit.announce(await kit.app(), manifest);
  assertStatus(answer, 422);
  assertMatches(partOf(answer.json, "error"), pattern, "The error");
}

function assertAll200({ answers }: Flow): void {
  for (const answer of answers) assertStatus(answer, 200);
}

/** The token with another letter in its middle. */
function changed(token: string): string {
  const middle = Math.floor(token.length / 2);
  return token.slice(0, middle) + (token[middle] === "x" ? "y" : "x") + token.slice(middle + 1);
}
