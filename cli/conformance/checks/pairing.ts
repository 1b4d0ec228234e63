import type { Answer } from "../answer.ts";
import {
  assert,
  assertExpiry,
  assertMatches,
  assertRefusal,
  assertSame,
  assertStatus,
  listOf,
  partOf,
  TIMESTAMP,
} from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit } from "../kit.ts";
import { LIMITS } from "../limits.ts";
import { inPairingTurn, ownComputer, readMe } from "./own-computer.ts";
import { notificationStory } from "./notification-story.ts";
import { raceStory } from "./race-story.ts";
import { askUntil } from "./waking.ts";

/** Six symbols that look unlike each other. */
const CODE = /^[2-9A-HJKMNP-Z]{6}$/;

/** From a letter or digit to the same one in full width. */
const FULL_WIDTH = 0xfe_e0;

const APP = { app_name: "App", app_id: "app" };

/** Computers, codes, claims, apps. */
export const PAIRING_CHECKS: readonly Check[] = [
  {
    id: "register",
    rule: "P1",
    title: "registering a computer is 201 with device_id and importer_token",
    run: async (kit) => {
      const { registered } = await kit.device();
      assertStatus(registered, 201);
      assertMatches(partOf(registered.json, "device_id"), /./, "device_id");
    },
  },
  {
    id: "register-needs-text",
    rule: "P1",
    title: "a device_name that is not a string is 422",
    run: async (kit) => assertRefusal(await kit.register({ device_name: 7 }), "DEVICE_NAME_WRONG"),
  },
  {
    id: "code",
    rule: "P2",
    title: "asking for a pairing code is 201 with the code and its end, at most 10 minutes off",
    run: async (kit) => {
      const { token } = await kit.device("Conformance kit, doors");
      const answer = await kit.call("POST", "/importer/pairing-code", { token });
      assertStatus(answer, 201);
      assertExpiry(answer.json, "The code", LIMITS.codeSeconds);
      const code = partOf(answer.json, "code");
      const isCode = typeof code === "string" && CODE.test(code);
      assert(isCode, "The code is not six of the symbols that look unlike each other.");
    },
  },
  {
    id: "new-code-kills-old",
    rule: "P2",
    title: "a new code replaces the previous one",
    run: async (kit) => assertRefusal(await wrongCode(kit), "CODE_UNKNOWN"),
  },
  {
    id: "code-ended",
    rule: "P2",
    title: "the importer ends its code: 200 {}, and a claim is 404",
    needs: "limit",
    run: async (kit) => {
      const device = await kit.device("Conformance kit, doors");
      const code = await kit.code(device);
      const { token } = device;
      const ended = await kit.call("DELETE", "/importer/pairing-code", { token });
      assertStatus(ended, 200);
      assertSame(ended.json, {}, "The body");
      assertRefusal(await kit.claim({ code, ...APP }), "CODE_UNKNOWN");
    },
  },
  {
    id: "code-wide",
    rule: "P3",
    title: "a code may have its symbols in full width, and spaces of zero width between them",
    isLong: true,
    run: async (kit) => {
      const device = await ownComputer(kit);
      const claimed = await inPairingTurn(kit, async () => {
        const wide = Array.from(await kit.code(device), (symbol) =>
          String.fromCodePoint(symbol.charCodeAt(0) + FULL_WIDTH),
        ).join("\u200B");
        return kit.claim({ code: wide, ...APP, app_id: "conformance-wide" }, device);
      });
      assertStatus(claimed, 200);
    },
  },
  {
    id: "code-spelling",
    rule: "P3",
    title: "letter case, spaces and hyphens of a code do not matter",
    run: async (kit) => assertStatus((await notificationStory(kit)).claimed, 200),
  },
  {
    id: "claim",
    rule: "P4",
    title: "a good claim is 200 with app_token and device_name",
    spec: "4: POST /pair/claim: 200 {app_token, device_name}",
    run: async (kit) => {
      const { claimed } = await kit.app();
      assertStatus(claimed, 200);
      assertMatches(partOf(claimed.json, "app_token"), /^\S+$/, "app_token");
      const name = partOf(claimed.json, "device_name");
      if (kit.contract === "public") assertMatches(name, /./, "device_name");
      else assertSame(name, "Conformance kit", "device_name");
    },
  },
  {
    id: "claim-wrong-code",
    rule: "P4",
    title: "a wrong and a used code get the same 404",
    spec: "4, 7: POST /pair/claim with a wrong code: 404",
    run: async (kit) => {
      const wrong = await wrongCode(kit);
      assertRefusal(wrong, "CODE_UNKNOWN");
      if (!kit.hasImporter) return;
      const used = (await raceStory(kit)).claims.find(({ status }) => status !== 200);
      if (used !== undefined) assertSame(used.json, wrong.json, "The answer to a used code");
    },
  },
  malformed("not-json", "that is not JSON", '{"code":'),
  malformed("with-empty-code", "with an empty code", { code: "", ...APP }),
  // They would exceed the ten tries a minute that an ordinary run may use.
  {
    ...malformed("without-app-id", "without app_id", { code: "222222", app_name: "App" }),
    needs: "limit",
  },
  {
    ...malformed("without-app-name", "without app_name", { code: "222222", app_id: "app" }),
    needs: "limit",
  },
  {
    id: "claim-race",
    rule: "P4",
    title: "of two claims of one code at once, one is 200 and the other 404",
    run: async (kit) => {
      const { claims } = await raceStory(kit);
      const statuses = claims.map(({ status }) => status).toSorted((one, other) => one - other);
      assertSame(statuses, [200, 404], "The pair of answers");
    },
  },
  {
    id: "pair-again",
    rule: "P5",
    title:
      "pairing the same app_id again keeps earlier tokens, and the app is listed once, by its newest name",
    run: async (kit) => {
      const { listed, firstAfter, names } = await raceStory(kit);
      assertStatus(firstAfter, 200);
      assertSame(names, ["Conformance again"], `The names of that app in ${listed.asked}`);
    },
  },
  {
    id: "unpair-one-token",
    rule: "P5",
    title: "POST /app/unpair revokes the token of the call and no other",
    run: async (kit) => {
      const { secondAfter, firstAfter } = await raceStory(kit);
      assertRefusal(secondAfter, "TOKEN_UNKNOWN");
      assertStatus(firstAfter, 200);
    },
  },
  {
    id: "apps",
    rule: "P7",
    title: "the computer's apps are listed with pairing_id, app_name, times and waiting_packages",
    run: async (kit) => {
      const { listed } = await notificationStory(kit);
      assertStatus(listed, 200);
      const [app] = listOf(listed.json, "apps");
      assertMatches(partOf(app, "pairing_id"), /./, "pairing_id");
      assertSame(partOf(app, "app_name"), "Conformance bell", "app_name");
      assertMatches(partOf(app, "paired_at"), TIMESTAMP, "paired_at");
      assertMatches(partOf(app, "last_seen_at"), TIMESTAMP, "last_seen_at");
      assertSame(partOf(app, "waiting_packages"), 1, "waiting_packages");
    },
  },
  {
    id: "unpair-by-the-user",
    rule: "P7",
    title: "the importer unpairs an app with 200 {}, and its token is revoked",
    spec: "2.1, 5 the token is revoked when the user unpairs the app",
    run: async (kit) => {
      const { unpaired, meAfter, unpairedAgain } = await notificationStory(kit);
      assertStatus(unpaired, 200);
      assertSame(unpaired.json, {}, "The body");
      assertRefusal(meAfter, "TOKEN_UNKNOWN");
      assertRefusal(unpairedAgain, "PAIRING_UNKNOWN");
    },
  },
  { id: "rename", rule: "P8", title: "the importer renames its computer", run: rename },
  {
    id: "rename-read",
    rule: "P8",
    title: "an app reads its computer's new name",
    isLong: true,
    run: renameForApp,
  },
];

/** Claims a code that a newer one has replaced. Wrong tries are scarce, so its checks share it. */
function wrongCode(kit: Kit): Promise<Answer> {
  return kit.share("wrong code", async () => {
    if (!kit.hasImporter) return kit.claim({ code: "222222", ...APP });
    const device = await kit.device("Conformance kit, doors");
    const code = await kit.code(device);
    await kit.code(device);
    return kit.claim({ code, ...APP });
  });
}

/** A claim with a malformed body. */
function malformed(id: string, words: string, body: object | string): Check {
  return {
    id: `claim-${id}`,
    rule: "P4",
    title: `a claim ${words} is 400`,
    run: async (kit) => assertStatus(await kit.claim(body), 400),
  };
}

function nameIn({ json }: Answer): unknown {
  return partOf(json, "device_name");
}

/** Renames a computer of its own: other checks compare their computers' names. */
async function renameForApp(kit: Kit): Promise<void> {
  const device = await kit.device("Conformance kit, renamed");
  const { token } = await kit.pair(device, "Conformance renamed");
  const read = () => readMe(kit, token);
  assertSame(nameIn(await read()), "Conformance kit, renamed", "device_name before");
  const body = { device_name: "Attic" };
  const renamed = await kit.call("PATCH", "/importer/me", { token: device.token, body });
  assertStatus(renamed, 200);
  const after = await askUntil(kit, read, (answer) => nameIn(answer) === "Attic");
  assertSame(nameIn(after), "Attic", "device_name");
}

async function rename(kit: Kit): Promise<void> {
  const { token } = await kit.device("Conformance kit, doors");
  const body = { device_name: "Attic" };
  const answer = await kit.call("PATCH", "/importer/me", { token, body });
  assertStatus(answer, 200);
  assertSame(partOf(answer.json, "device_name"), "Attic", "device_name");
  const wrong = await kit.call("PATCH", "/importer/me", { token, body: { device_name: null } });
  assertRefusal(wrong, "DEVICE_NAME_WRONG");
}
