import type { Command } from "commander";
import * as limits from "../../../core/limits.ts";
import { inEnglish } from "../../../core/messages/translate.ts";
import { formatLimitSpan, JSON_SIZE, PACKAGE_SIZE } from "../../../core/text/format-limit.ts";

const AUDIO = "../../../client/audio";

/** A text that people or programs read, and where it comes from. */
export interface SaidText {
  readonly where: string;
  readonly text: string;
}

/** Every text that the product derives from `core/limits.ts`, with the numbers of its mock if one is in place. */
export async function readSaidTexts(): Promise<readonly SaidText[]> {
  const { REFUSALS } = await import("../../../core/protocol/refusals.ts");
  const { MANIFEST_SCHEMA } = await import("../../../core/manifest/schema.ts");
  const { fillTables } = await import("../../../scripts/write-field-tables.ts");
  const { formatSettings } = await import("../../../scripts/write-settings.ts");
  const tables = ["manifest", "source", "tempo", "sound", "warnings"];
  return [
    ...entriesOf(REFUSALS).map(([code, { sentence }]) => said(`REFUSALS.${code}`, sentence)),
    ...leavesOf("/manifest.schema.json#", MANIFEST_SCHEMA),
    ...leavesOf("/openapi.json#", await readContract()),
    ...tables.map((name) =>
      said(`the table ${name}`, fillTables(`<!-- table: ${name} -->\n<!-- end -->`)),
    ),
    ...formatSettings()
      .split("\n\n")
      .map((setting) => said(".env.example", setting)),
    ...(await readHelp()),
    ...(await readErrors()),
  ];
}

async function readContract(): Promise<unknown> {
  const { contractOf } = await import("../../../relay/http/calls/contract-calls.ts");
  const { ROUTES } = await import("../../../relay/http/routes.ts");
  return JSON.parse(JSON.stringify(contractOf(ROUTES)));
}

/** Every text and number inside a JSON value, under its JSON Pointer. */
function leavesOf(where: string, value: unknown): readonly SaidText[] {
  if (typeof value !== "object" || value === null) return [said(where, String(value))];
  return entriesOf(value).flatMap(([key, member]) => leavesOf(`${where}/${key}`, member));
}

/** `--help` of every command and of the commands inside it. */
async function readHelp(): Promise<readonly SaidText[]> {
  const { SUBCOMMANDS } = await import("../../../cli/subcommands.ts");
  const commands = await Promise.all(Object.values(SUBCOMMANDS).map(({ load }) => load()));
  const helpOf = (command: Command): SaidText[] => [
    said(`soundferry ${command.name()} --help`, command.helpInformation()),
    ...command.commands.flatMap(helpOf),
  ];
  return commands.flatMap(helpOf);
}

/** Messages of client, page and importer for values beyond a limit. */
async function readErrors(): Promise<readonly SaidText[]> {
  const limits = await import("../../../core/limits.ts");
  const { preparePackage } = await import("../../../client/send/prepare-package.ts");
  const { readText } = await import("../../../addon/packages/local-package.ts");
  // A variable hides the import from the compiler, since the module needs browser types.
  const { convert }: { convert: (sound: Blob) => Promise<unknown> } = await import(
    `${AUDIO}/convert.ts`
  );
  const { BEATS, BPM, GAIN } = await import("../../../client/send/session/typed-numbers.ts");
  const large = new File([], "Large.wav");
  Object.defineProperty(large, "size", { value: limits.MAX_PACKAGE_BYTES + 1 });
  const file = { close: () => Promise.resolve() };
  const manifest = { file, sizeBytes: limits.MAX_JSON_BYTES + 1 };
  return [
    said("client", await sentenceOf(preparePackage({ sounds: [{ source: large }] }))),
    said("page, a file", await sentenceOf(convert(large))),
    said("importer", await sentenceOf(readText(manifest as never, "manifest.json"))),
    ...[BPM, BEATS, GAIN].map(({ sentence }) => said("page, a number", sentence(inEnglish))),
  ];
}

async function sentenceOf(failing: Promise<unknown>): Promise<string> {
  try {
    await failing;
  } catch (error) {
    return String(error);
  }
  throw new Error("What goes beyond a limit was taken.");
}

function said(where: string, text: string): SaidText {
  return { where, text };
}

function entriesOf<Value>(table: Readonly<Record<string, Value>> | object): [string, Value][] {
  return Object.entries(table);
}

const { RELAY_DEFAULTS: relay } = limits;

/** Phrases for a limit: a number with its unit, so that nothing else is meant. */
export const LIMIT_WORDS: readonly string[] = [
  `${limits.MAX_SOUNDS} sounds`,
  PACKAGE_SIZE,
  String(limits.MAX_PACKAGE_BYTES),
  limits.MAX_PACKAGE_BYTES.toLocaleString("en-US"),
  JSON_SIZE,
  ...[
    limits.MAX_TITLE_LENGTH,
    limits.MAX_NAME_LENGTH,
    limits.MAX_ID_LENGTH,
    limits.MAX_WARNING_UNITS,
    limits.MAX_IDEMPOTENCY_KEY_LENGTH,
    limits.MAX_APP_ID_LENGTH,
    limits.MAX_ERROR_UNITS,
    limits.MAX_CLIENT_LENGTH,
    limits.MAX_RESULT_UNITS,
  ].flatMap((length) => [
    `${length} characters`,
    `${length} code points`,
    `${length} UTF-16 units`,
    `${length} of the characters`,
    `${length} letters`,
  ]),
  `${limits.MIN_BPM} to ${limits.MAX_BPM}`,
  `${limits.MAX_BPM} BPM`,
  `up to ${limits.MAX_LENGTH_BEATS}`,
  `${limits.MAX_LENGTH_BEATS} beats`,
  `${limits.MIN_GAIN_DB} to`,
  `−${-limits.MIN_GAIN_DB} to`,
  `${limits.MAX_SAMPLE_RATE_HZ / 1000} kHz`,
  `${limits.MAX_SAMPLE_RATE_HZ} Hz`,
  `${limits.MAX_WARNINGS} warnings`,
  `${limits.MAX_PROBLEMS} problems`,
  `${limits.MAX_WAIT_SECONDS} seconds`,
  `${limits.MAX_HEADER_BYTES / 1024} KiB of headers`,
  `${limits.MAX_HEADERS_SECONDS} seconds`,
  `pings every ${limits.PING_SECONDS}`,
  `${relay.callsPerMinute} calls`,
  `${relay.packagesPerHour} packages`,
  `${relay.pairingTriesPerMinute} claims`,
  `${relay.pairingTriesPerMinute} a minute`,
  `${relay.waitingPackagesPerDevice} packages`,
  `${relay.waitingPackagesPerDevice} waiting`,
  `${relay.uploadsPerDevice} uploads`,
  ...[relay.bytesPerDevice, relay.bytesPerAddressPerDay, relay.minFreeBytes].map(
    (bytes) => `${bytes / 1024 ** 3} GiB`,
  ),
  ...[
    relay.pairingCodeTtlSeconds,
    relay.uploadWindowSeconds,
    relay.waitWindowSeconds,
    relay.statusWindowSeconds,
    relay.leaseSeconds,
    relay.uploadIdleSeconds,
  ].map(formatLimitSpan),
  // The same in words, which nothing can derive.
  "an hour of",
  "one hour",
  "ten minutes",
  "five minutes",
  "seven days",
  "four uploads",
];

/** A place at which a text says a limit: the words and their context. */
export function findLimitWords(text: string): readonly string[] {
  const line = text.replaceAll(/\s+/g, " ");
  return [...line.matchAll(LIMIT_WORD)].map(({ index }) =>
    line.slice(Math.max(0, index - 40), index + 50),
  );
}

const LIMIT_WORD = new RegExp(
  LIMIT_WORDS.map((words) => `(?<![\\w.,])${words.replaceAll(".", "\\.")}\\b`).join("|"),
  "gi",
);
