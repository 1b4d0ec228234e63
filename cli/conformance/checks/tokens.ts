import {
  assert,
  assertMatches,
  assertRefusal,
  assertSame,
  assertStatus,
  assertSuccess,
  partOf,
  TIMESTAMP,
} from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit } from "../kit.ts";
import { GIVEN_APP_NAME } from "../pairing.ts";
import { textOf } from "../session.ts";
import { assertAllRefused, bareFlow } from "./plain-flow.ts";
import { raceStory } from "./race-story.ts";

/** Authentication. */
export const TOKEN_CHECKS: readonly Check[] = [
  {
    id: "token-shape",
    rule: "A1",
    title: "tokens are 256 bits in URL-safe characters behind sfa_ or sfi_",
    run: async (kit) => {
      const { token, device } = await kit.app();
      assert(/^sfa_[\w-]{43,}$/.test(token), "The app's token does not look like sfa_….");
      assert(
        /^sfi_[\w-]{43,}$/.test(device.token),
        "The importer's token does not look like sfi_….",
      );
    },
  },
  {
    id: "token-on-every-call",
    rule: "A2",
    title: "every call of an app needs the token before anything else",
    spec: "4 every call except POST /pair/claim carries the token",
    run: async (kit) => {
      for (const [method, path] of [
        ["POST", "/app/unpair"],
        ["POST", "/packages"],
        ["PUT", "/packages/pkg_none/files/a.wav"],
        ["POST", "/packages/pkg_none/commit"],
        ["GET", "/packages/pkg_none/status"],
        ["DELETE", "/packages/pkg_none"],
      ] as const) {
        assertRefusal(await kit.call(method, path), "TOKEN_MISSING");
      }
      await assertAllRefused(kit, (await bareFlow(kit)).made, undefined, "TOKEN_MISSING");
    },
  },
  {
    id: "token-missing-said",
    rule: "A2",
    title: "a call without Authorization has a code of its own",
    run: async (kit) => assertRefusal(await kit.call("GET", "/app/me"), "TOKEN_MISSING"),
  },
  {
    id: "token-of-importer",
    rule: "A2",
    title: "every call of an importer needs an importer's token",
    run: async (kit) => {
      const { token } = await kit.app();
      for (const [method, path] of [
        ["PATCH", "/importer/me"],
        ["DELETE", "/importer/me"],
        ["POST", "/importer/pairing-code"],
        ["GET", "/importer/apps"],
        ["DELETE", "/importer/apps/pair_none"],
        ["GET", "/importer/packages"],
        ["GET", "/importer/packages/pkg_none"],
        ["POST", "/importer/packages/pkg_none/take"],
        ["GET", "/importer/packages/pkg_none/files/a.wav"],
        ["POST", "/importer/packages/pkg_none/results"],
      ] as const) {
        assertRefusal(await kit.call(method, path, { token }), "IMPORTER_UNKNOWN");
        assertRefusal(await kit.call(method, path), "TOKEN_MISSING");
      }
    },
  },
  {
    id: "scheme-case",
    rule: "A2",
    title: "bearer, Bearer and BEARER are the same",
    run: async (kit) => {
      const { token } = await kit.app();
      for (const scheme of ["bearer", "Bearer", "BEARER"]) {
        const headers = { authorization: `${scheme} ${token}` };
        assertStatus(await kit.call("GET", "/app/me", { headers }), 200);
      }
    },
  },
  {
    id: "me",
    rule: "A4",
    title: "GET /app/me has device_name, app_name and paired_at in UTC with milliseconds",
    spec: "2.2, 4: GET /app/me: {device_name, app_name, paired_at}",
    run: me,
  },
  {
    id: "me-as-claimed",
    rule: "A4",
    title: "GET /app/me names the computer of the claim, and the app as it named itself",
    spec: "2.1 device_name: the computer the app is paired with; app_name: the name the app gave",
    isPublicOnly: true,
    run: async (kit) => {
      const { token, claimed } = await kit.app();
      const { json } = await kit.call("GET", "/app/me", { token });
      assertSame(partOf(json, "device_name"), textOf(claimed, "device_name"), "device_name");
      assertSame(partOf(json, "app_name"), GIVEN_APP_NAME, "app_name");
    },
  },
  {
    id: "unpair",
    rule: "A4",
    title: "POST /app/unpair is 200 with {}",
    run: async (kit) => {
      const { unpaired } = await raceStory(kit);
      assertStatus(unpaired, 200);
      assertSame(unpaired.json, {}, "The body");
    },
  },
  {
    id: "no-store",
    rule: "SEC1",
    title: "no cache may keep an answer with a token, a code or a package's state, or a refusal",
    run: noStore,
  },
];

async function noStore(kit: Kit): Promise<void> {
  const { token, claimed, device } = await kit.app();
  const code = await kit.call("POST", "/importer/pairing-code", {
    token: (await kit.device("Conformance kit, doors")).token,
  });
  const made = await kit.share("stays uploading", () => kit.uploading());
  for (const { asked, status, headers } of [
    claimed,
    device.registered,
    code,
    made.announced,
    await kit.status(made),
    await kit.call("GET", "/app/me", { token }),
    await kit.call("GET", "/app/me"),
    await kit.call("GET", "/importer/apps", { token: device.token }),
    await kit.call("GET", "/importer/packages?after=", { token: device.token }),
  ]) {
    assertMatches(headers["cache-control"], /no-store/, `${asked} (${status}): Cache-Control`);
  }
}

async function me(kit: Kit): Promise<void> {
  if (!kit.hasImporter) return meOfGivenApp(kit);
  const { token } = await kit.app("second");
  const answer = await kit.call("GET", "/app/me", { token });
  assertStatus(answer, 200);
  assertSame(partOf(answer.json, "device_name"), "Conformance kit", "device_name");
  assertSame(partOf(answer.json, "app_name"), "Conformance second", "app_name");
  assertMatches(partOf(answer.json, "paired_at"), TIMESTAMP, "paired_at");
}

async function meOfGivenApp(kit: Kit): Promise<void> {
  const { token } = await kit.app();
  const answer = await kit.call("GET", "/app/me", { token });
  assertSuccess(answer, 200);
  const { json } = answer;
  for (const name of ["device_name", "app_name"]) {
    assertMatches(partOf(json, name), /./, name);
  }
  assert(partOf(json, "paired_at") !== undefined, "paired_at is absent.");
}
