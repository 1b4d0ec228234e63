import { shorten } from "../../../core/text/shorten.ts";
import { assert, assertSame, assertStatus, assertSuccess, partOf, show } from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit } from "../kit.ts";
import { LIMITS } from "../limits.ts";
import { itemOf, makeWav, manifestOf } from "../sounds.ts";
import type { TextCase } from "./names-case.ts";
import { PACKAGE_TEXTS } from "./names-of-packages.ts";
import { NAMES } from "./names-of-sounds.ts";
import { type PlacedText, readTexts, TEXTS, uploadTexts } from "./names-sent.ts";

/** An app's name, as it is sent and as it is kept. */
const APP_NAME = {
  sent: `Cafe\u0301 ﬁ ٣ 𐌲/🥁\u202e²\n${"𐌲".repeat(40)}`,
  kept: `Café ﬁ ٣ 𐌲 ${"𐌲".repeat(29)}`,
};

/** Names and titles: what is kept, what becomes a space, where they are cut. */
export const NAME_CHECKS: readonly Check[] = [
  ...[...NAMES, ...PACKAGE_TEXTS].map(checkOf),
  {
    id: "texts-without-warning",
    rule: "M5",
    title: "a text that changes only by NFC, or loses spaces, gets no warning",
    run: (kit) => judgeWarnings(kit, (code) => code === undefined),
  },
  {
    id: "texts-with-warning",
    rule: "M4",
    title: "a text that is cleaned or cut gets one warning, which says so",
    run: (kit) => judgeWarnings(kit, (code) => code !== undefined && code !== "open"),
  },
  {
    id: "names-of-any-language",
    rule: "M6",
    title: "a package with names in many scripts is taken, with its files",
    spec: "2.4 name: letters of any language, digits, space and _ - ( ) . ' & + # !",
    run: async (kit) => {
      const { answers } = await uploadTexts(kit, 0);
      for (const answer of answers) assertStatus(answer, 200);
    },
  },
  {
    id: "names-never-refuse",
    rule: "M6",
    title: "no character of a name, and no length, refuses a package",
    spec: "2.4 name: any other character becomes a space; 2.5: cut at 40 characters",
    run: neverRefuse,
  },
  ...(
    [
      [
        "P5",
        "app-name-cleaned",
        "an app_name is cleaned like a sound's name, and cut at 40 characters",
      ],
      ["M6", "text-app-name", "an app's name at pairing is cleaned like a name"],
    ] as const
  ).map(([rule, id, title]): Check => ({ id, rule, title, run: judgeAppName })),
  {
    id: "device-name-like-a-title",
    rule: "P1",
    title: "a device_name is cleaned like a title",
    run: async (kit) => {
      const { token } = await kit.device("Conformance kit, doors");
      for (const { field, sent, kept, code } of TEXTS) {
        if (field !== "title" || code === "open" || sent.trim() === "") continue;
        const body = { device_name: sent };
        const renamed = await kit.call("PATCH", "/importer/me", { token, body });
        const got = partOf(renamed.json, "device_name");
        assertText(got, { kept }, `device_name ${spell(sent)}`);
      }
    },
  },
];

function checkOf({ id, field, words, code }: TextCase): Check {
  return {
    id: `text-${id}`,
    rule: "M6",
    title: `${field} ${words}`,
    run: async (kit) => {
      for (const text of TEXTS.filter((one) => one.id === id)) {
        const { textOf, codesOf } = await readTexts(kit, text.group);
        assertText(textOf(text), text, `${field} ${spell(text.sent)}`);
        if (code === undefined) assertSame(codesOf(text), [], warningsOn(text));
      }
    },
  };
}

async function judgeWarnings(kit: Kit, isJudged: (code: TextCase["code"]) => boolean) {
  for (const text of TEXTS.filter(({ code }) => isJudged(code))) {
    const { codesOf } = await readTexts(kit, text.group);
    assertSame(codesOf(text), text.code === undefined ? [] : [text.code], warningsOn(text));
  }
}

function warningsOn({ sent, field }: PlacedText): string {
  return `The list of warnings on ${field} ${spell(sent)}`;
}

function assertText(got: unknown, { kept }: Pick<PlacedText, "kept">, what: string): void {
  assert(got === kept, `${what} became ${spell(got)}; expected ${spell(kept)}.`);
}

/** Writes marks and what is invisible as escapes, so that texts which look alike don't. */
function spell(text: unknown): string {
  if (typeof text !== "string") return show(text);
  const escaped = text.replaceAll(/[\p{M}\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, escapeOf);
  return `"${shorten(escaped, 120)}"`;
}

function escapeOf(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

async function judgeAppName(kit: Kit): Promise<void> {
  const { sent, kept } = APP_NAME;
  const me = await kit.share("app with an odd name", async () => {
    const app = await kit.inTurn("pairing", async () => kit.pair(await kit.device(), sent));
    return kit.call("GET", "/app/me", { token: app.token });
  });
  assertText(partOf(me.json, "app_name"), { kept }, `app_name ${spell(sent)}`);
}

async function neverRefuse(kit: Kit): Promise<void> {
  const names = TEXTS.filter(isUnusual).slice(0, LIMITS.sounds);
  const items = names.map(({ sent }, at) =>
    itemOf({ file: `${at}.wav`, bytes: makeWav() }, { name: sent }),
  );
  const answer = await kit.announce(await kit.leastBusyApp(), manifestOf([], { items }));
  assertSuccess(answer, 201);
}

/** A name that is cleaned or cut; without what isn't Unicode, which the public specification leaves open. */
function isUnusual({ field, code, sent }: PlacedText): boolean {
  return field === "name" && code !== undefined && !/[\p{Cc}\p{Cs}\p{Cn}]/u.test(sent);
}
