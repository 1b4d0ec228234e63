import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";
import type { MessageKey } from "../../core/messages/en/english.ts";
import type { RefusalCode } from "../../core/protocol/refusals.ts";

// Leaves texts out of a page that never shows them.

/** Empties the tables of one area in every language: the bundler can't know which keys a page uses. */
export function withoutMessages(area: string): Plugin {
  return {
    name: `without ${area} messages`,
    setup: (bundler) => {
      const filter = new RegExp(`[\\\\/]messages[\\\\/]\\w+[\\\\/]${area}(-\\w+)*\\.ts$`);
      bundler.onLoad({ filter }, async ({ path }) => {
        const source = await readFile(path, "utf8");
        const tables = [...source.matchAll(/^export const (\w+)/gm)];
        return { contents: tables.map(([, name]) => `export const ${name} = {};`).join("\n") };
      });
    },
  };
}

/** Refusals of calls that only importers make. */
const IMPORTERS_REFUSALS: readonly RefusalCode[] = [
  "IMPORTER_UNKNOWN",
  "IMPORTER_TOO_OLD",
  "REGISTRATION_KEY_WRONG",
  "REGISTRATION_KEY_ENDED",
  "REGISTRATION_KEY_USED_UP",
  "REGISTRATION_KEY_REMOVED",
  "NETWORK_REGISTRATIONS_TOO_MANY",
  "REGISTRATIONS_TOO_MANY",
  "REGISTRATIONS_OFF",
  "DEVICE_NAME_WRONG",
  "PAIRING_UNKNOWN",
  "PAIRING_ANSWER_WRONG",
  "PAIRING_REQUEST_OVER",
  "PACKAGE_NOT_COMMITTED",
  "RUN_ELSEWHERE",
  "RUN_ID_WRONG",
  "RANGE_WRONG",
  "RESULTS_WRONG",
  "SOUND_UNKNOWN",
  "SOUND_LOST",
];

/** Refusals of requests that the page's client never makes: if a bug does, the page shows the relay's English sentence. */
const MALFORMED_REFUSALS: readonly RefusalCode[] = [
  "REQUEST_MALFORMED",
  "NOT_JSON",
  "JSON_IN_FORM",
  "JSON_ENCODED",
  "JSON_TOO_COMPLEX",
  "PATH_UNKNOWN",
  "METHOD_WRONG",
  "CLAIM_INCOMPLETE",
  "APP_ID_TOO_LONG",
  "SCHEMA_NEWER",
  "SCHEMA_UNKNOWN",
  "MANIFEST_NOT_OBJECT",
  "ITEMS_MISSING",
  "ITEM_NOT_OBJECT",
  "FILE_NAME_MISSING",
  "FILE_NAME_WRONG",
  "FILE_TWICE",
  "BYTES_WRONG",
  "SHA256_WRONG",
  "IDEMPOTENCY_KEY_WRONG",
  "IDEMPOTENCY_KEY_REUSED",
  "TOKEN_MISSING",
  "HEADERS_TOO_LARGE",
  "BODY_TOO_LARGE",
  "FILE_IN_FORM",
  "FILE_ENCODED",
  "UPLOAD_VERSION_UNKNOWN",
  "UPLOAD_HEADERS_WRONG",
  "UPLOAD_TYPE_WRONG",
  "STATUS_WRONG",
  "CURSOR_WRONG",
];

/** Texts that the relay's page never shows, beside those of whole tables. */
export const UNUSED_TEXTS = [
  "clips.volume",
  "clips.position",
  "clips.bar",
  "playback.tooLongToStretch",
  "playback.approximation",
  "playback.repitched",
  "playback.tooLarge",
  "playback.tooShort",
  "format.host-live",
  "format.host-folder",
  "format.host-preview",
  "format.host-dawproject",
  "format.host-dawproject-arrangement",
  "format.host-live-set",
  // What only a golden has.
  "format.setting-audio",
  "format.setting-encoding",
  "format.setting-bits",
  "format.setting-channels",
  "format.setting-sample_rate_hz",
  "format.setting-length",
  "format.setting-order",
  "format.setting-presence",
  "send.label",
  "send.drop",
  "send.more",
  "send.paused",
  "send.bpm",
] as const satisfies readonly MessageKey[];

/** Removes texts from the tables of all languages. English refusals stay: the page knows a refusal by its sentence. */
export const withoutTexts: Plugin = {
  name: "without texts that the page never shows",
  setup: (bundler) => {
    const refusals = [...IMPORTERS_REFUSALS, ...MALFORMED_REFUSALS].map(
      (code) => `refusal.${code}`,
    );
    const keys = [...refusals, ...UNUSED_TEXTS].join("|").replaceAll(".", String.raw`\.`);
    const entry = new RegExp(
      String.raw`^  "(?:${keys})":\s*(?:"(?:[^"\\]|\\.)*"|\x60[^\x60]*\x60),\n`,
      "gm",
    );
    const filter = /[\\/]messages[\\/]\w+[\\/](?:refusals|clips|formats|live-set|page)\.ts$/;
    bundler.onLoad({ filter }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      return { contents: source.replace(entry, ""), loader: "ts" };
    });
  },
};
