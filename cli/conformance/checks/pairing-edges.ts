import { randomUUID } from "node:crypto";
import type { Answer } from "../answer.ts";
import { assert, assertRefusal, assertSame, assertStatus, partOf, show } from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit } from "../kit.ts";
import { LIMITS } from "../limits.ts";
import { x } from "./edge-rows.ts";

const { appIdCharacters, nameCharacters, deviceNameCharacters } = LIMITS;
const LETTER = "\u{10400}";
const EMOJI = "\u{1f3b9}";

interface NoCode extends Pick<Check, "id" | "needs"> {
  /** Ends "a claim with …". */
  readonly words: string;
  readonly code: string;
}

/** Texts that can't be a code. Tries are scarce: an ordinary run has one, of a wrong length and of wrong symbols. */
const NO_CODES: readonly NoCode[] = [
  {
    id: "other-symbols",
    words: "too many symbols that a code doesn't have",
    code: "0O1IL-".repeat(12),
  },
  { id: "40-signs", words: "40 signs and emoji", code: `${EMOJI} - `.repeat(8), needs: "limit" },
  { id: "six-other-symbols", words: "0O1IL0", code: "0O1IL0", needs: "limit" },
  { id: "5", words: "5 symbols", code: "K7MQ2", needs: "limit" },
  { id: "7", words: "7 symbols", code: "K7MQ2X9", needs: "limit" },
  { id: "40", words: "40 symbols", code: x(40, "K"), needs: "limit" },
  { id: "signs", words: "dashes and spaces", code: "-- --", needs: "limit" },
  { id: "emoji", words: "an emoji", code: EMOJI, needs: "limit" },
];

/** Claims and names of computers at their longest, and one past it. */
export const PAIRING_EDGE_CHECKS: readonly Check[] = [
  claimed("app-id-200", "P5", "an app_id of 200 characters pairs", async (kit) => {
    assertStatus((await longest(kit)).claimed, 200);
  }),
  claimed(
    "app-name-40",
    "P5",
    "an app_name of 40 letters is kept, whatever their units",
    async (kit) => {
      assertSame((await longest(kit)).name, LETTER.repeat(nameCharacters), "app_name");
    },
  ),
  claimed("app-id-1", "P5", "an app_id of 1 character pairs", async (kit) => {
    assertStatus((await tooLong(kit)).claimed, 200);
  }),
  claimed("app-name-41", "P5", "an app_name of 41 characters is cut to 40", async (kit) => {
    assertSame((await tooLong(kit)).name, x(nameCharacters), "app_name");
  }),
  {
    id: "app-id-201",
    rule: "P5",
    title: "an app_id of 201 characters is 400",
    needs: "limit",
    run: async (kit) => {
      const body = { code: "222222", app_name: "App", app_id: x(appIdCharacters + 1) };
      assertRefusal(await kit.claim(body), "APP_ID_TOO_LONG");
    },
  },
  deviceName("device-name-60", "of 60 characters is kept", x(deviceNameCharacters)),
  deviceName("device-name-emoji", "of 60 emoji is kept", EMOJI.repeat(deviceNameCharacters)),
  deviceName(
    "device-name-cleaned",
    "is trimmed and cut to 60 characters",
    `  ${x(deviceNameCharacters + 1, "é")}\n`,
    x(deviceNameCharacters, "é"),
  ),
  {
    id: "device-name-blank",
    rule: "P1",
    title: "a device_name without a character gets one of at least 1",
    run: async (kit) => {
      const name = partOf((await rename(kit, " ")).json, "device_name");
      assert(typeof name === "string" && name.trim() !== "", `device_name is ${show(name)}.`);
    },
  },
  ...NO_CODES.map(noCode),
];

function noCode({ id, words, code, needs }: NoCode): Check {
  return {
    id: `no-code-${id}`,
    rule: "P4",
    title: `a claim with ${words} for a code is 404`,
    spec: "4: a wrong, used or expired code: 404",
    // A relay that asks for a yes answers a wrong code only after some time.
    ...(needs === undefined ? { isLong: true } : { needs }),
    run: async (kit) => {
      const answer = await kit.claim({ code, app_name: "App", app_id: randomUUID() });
      assertRefusal(answer, "CODE_UNKNOWN");
    },
  };
}

function claimed(id: string, rule: string, title: string, run: Check["run"]): Check {
  return { id, rule, title, run };
}

/** A claim, and the name that the relay then has for the app. */
interface Claimed {
  readonly claimed: Answer;
  readonly name: unknown;
}

function longest(kit: Kit): Promise<Claimed> {
  return claimAs(kit, x(appIdCharacters, "i"), LETTER.repeat(nameCharacters));
}

function tooLong(kit: Kit): Promise<Claimed> {
  return claimAs(kit, "i", x(nameCharacters + 1));
}

/** Pairs once for all checks of this app. */
function claimAs(kit: Kit, appId: string, appName: string): Promise<Claimed> {
  return kit.share(`app of ${appId.length}`, async () => {
    const device = await kit.device();
    const claimed = await kit.inTurn("pairing", async () =>
      kit.claim({ code: await kit.code(device), app_name: appName, app_id: appId }, device),
    );
    const token = String(partOf(claimed.json, "app_token"));
    const me = await kit.call("GET", "/app/me", { token });
    return { claimed, name: partOf(me.json, "app_name") };
  });
}

async function rename(kit: Kit, name: string): Promise<Answer> {
  const { token } = await kit.device("Conformance kit, doors");
  return kit.call("PATCH", "/importer/me", { token, body: { device_name: name } });
}

function deviceName(id: string, words: string, sent: string, kept = sent): Check {
  return {
    id,
    rule: "P1",
    title: `a device_name ${words}`,
    run: async (kit) => {
      assertSame(partOf((await rename(kit, sent)).json, "device_name"), kept, "device_name");
    },
  };
}
