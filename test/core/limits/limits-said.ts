import type { Command } from "commander";

const PAGE = "../../../pages/send/sounds";

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
  const { readSound }: { readSound: (found: object, key: string) => Promise<unknown> } =
    await import(`${PAGE}/read-sound.ts`);
  const { BEATS, BPM, GAIN } = await import("../../../pages/send/sounds/read-number.ts");
  const large = new File([], "Large.wav");
  Object.defineProperty(large, "size", { value: limits.MAX_PACKAGE_BYTES + 1 });
  const file = { close: () => Promise.resolve() };
  const manifest = { file, sizeBytes: limits.MAX_JSON_BYTES + 1 };
  return [
    said("client", await sentenceOf(preparePackage({ sounds: [{ source: large }] }))),
    said("page, a file", await sentenceOf(readSound({ file: large, folderName: null }, "1"))),
    said("importer", await sentenceOf(readText(manifest as never, "manifest.json"))),
    ...[BPM, BEATS, GAIN].map(({ sentence }) => said("page, a number", sentence())),
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
