import { withoutMark } from "./text/parse-json.ts";
import { sentenceOf } from "./text/sentence-of.ts";

/** The groups of settings in `--help` and `.env.example`, in that order. The first ones have what most people need. */
export const SETTING_GROUPS = [
  "Address and files",
  "Importer",
  "Live",
  "Behind a proxy",
  "Registration and pairing",
  "Operator",
  "Log and metrics",
  "Starting and stopping",
  "Limits",
  "Lifetimes",
  "Disk",
  "Several relays",
] as const;
export type SettingGroup = (typeof SETTING_GROUPS)[number];

/** One setting: its variable, parser and default. */
export interface Setting<Value> {
  /** The environment variable; the flag derives from it: `SOUNDFERRY_PORT` → `--port`. */
  readonly variable: string;
  /** One line of help. */
  readonly meaning: string;
  readonly group?: SettingGroup;
  readonly fallback: Value;
  /** The text shown instead of a `fallback` that depends on the machine. */
  readonly fallbackText?: string;
  /** The smallest and the largest number that `read` accepts. */
  readonly bounds?: { readonly min: number; readonly max: number };
  /** @throws {Error} with the requirement as its message, such as `must be a whole number` */
  readonly read: (text: string) => Value;
  /** True if the value is a secret. Then a file can hold it instead (rule SEC2), and no message shows it. */
  readonly isSecret?: true;
}

/** The file that holds a secret, in place of the setting with that variable. */
export interface SecretFile<Value> extends Setting<Value> {
  readonly holds: string;
}

/** Settings by their name in code. */
export type SettingsTable = Readonly<Record<string, Setting<unknown>>>;

/** The values of a table. A secret is under its own name, in whichever way it was given. */
export type SettingsOf<Table extends SettingsTable> = {
  readonly [
    Name in keyof Table as Table[Name] extends SecretFile<unknown> ? never : Name
  ]: Table[Name] extends Setting<infer Value> ? Value : never;
};

/** Puts all settings of a table into a group. */
export function inGroup<Table extends SettingsTable>(group: SettingGroup, table: Table): Table {
  const grouped = Object.entries(table).map(([name, setting]) => [name, { ...setting, group }]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fromEntries loses the type of each name; nothing else changes
  return Object.fromEntries(grouped) as Table;
}

/** Sorts settings by their groups, those without one last. Within a group they keep their order. */
export function byGroup(settings: readonly Setting<unknown>[]): readonly Setting<unknown>[] {
  return [...SETTING_GROUPS, undefined].flatMap((group) =>
    settings.filter((setting) => setting.group === group),
  );
}

/** Raw values by variable name: the flags, the environment or the stored settings. */
export type SettingsSource = Readonly<Record<string, string | undefined>>;

/** Invalid settings, one sentence each. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/**
 * Reads every setting of a table from the first source that has it. An empty text counts as missing.
 * @param sources highest precedence first
 * @throws {SettingsError} with every problem at once
 */
export function readSettings<Table extends SettingsTable>(
  table: Table,
  sources: readonly SettingsSource[],
): SettingsOf<Table> {
  const problems: string[] = [];
  const textOf = ({ variable }: Setting<unknown>) =>
    sources.map((source) => source[variable]).find((found) => !!found);
  const files = Object.values(table).filter(isSecretFile);
  const values = Object.entries(table).map(([name, setting]) => {
    const file = files.find(({ holds }) => holds === setting.variable);
    const isInFile = file !== undefined && textOf(file) !== undefined;
    if (isInFile && textOf(setting) !== undefined) {
      problems.push(`${setting.variable} and ${file.variable} can't both be set.`);
    }
    const read = isInFile ? file : setting;
    const text = textOf(read);
    if (text === undefined || isSecretFile(setting)) return [name, setting.fallback];
    try {
      return [name, read.read(text)];
    } catch (error) {
      problems.push(`${read.variable} ${sentenceOf(error)}${whereFrom(text)}`);
      return [name, setting.fallback];
    }
  });
  if (problems.length > 0) throw new SettingsError(problems);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fromEntries loses the type of each name; the table's readers guarantee it
  return Object.fromEntries(values) as SettingsOf<Table>;
}

function isSecretFile(setting: Setting<unknown>): setting is SecretFile<unknown> {
  return "holds" in setting;
}

/** Explains a value from a container platform, which sets variables with the addresses of other services. */
function whereFrom(text: string): string {
  return isInjected(text)
    ? " A container platform sets that for a service of the same name. Set the variable yourself, rename the service, or set enableServiceLinks: false."
    : "";
}

/** Checks whether a value is an address as container platforms write it: `tcp://10.0.0.1:4700`. */
export function isInjected(text: string): boolean {
  return /^(?:tcp|udp|sctp):\/\//i.test(text);
}

/** Returns a setting's flag: `SOUNDFERRY_BASE_URL` → `base-url`. */
export function flagOf(variable: string): string {
  return variable.replace("SOUNDFERRY_", "").toLowerCase().replaceAll("_", "-");
}

/** Declares a whole number from `min` to `max`. */
export function wholeNumber(
  variable: string,
  fallback: number,
  meaning: string,
  { min = 1, max = Number.MAX_SAFE_INTEGER } = {},
): Setting<number> {
  return {
    variable,
    fallback,
    meaning,
    bounds: { min, max },
    read: (text) => {
      const value = Number(text);
      if (!/^\d+$/.test(text.trim()) || value < min || value > max) {
        throw new Error(`must be a whole number from ${min} to ${max}, not "${text}".`);
      }
      return value;
    },
  };
}

/** Declares any text. */
export function plainText<Fallback extends string | undefined>(
  variable: string,
  fallback: Fallback,
  meaning: string,
  fallbackText?: string,
): Setting<string | Fallback> {
  const shown = fallbackText === undefined ? {} : { fallbackText };
  return { variable, fallback, meaning, ...shown, read: (text) => text };
}

/** Declares a setting that is on or off. */
export function onOrOff(variable: string, fallback: boolean, meaning: string): Setting<boolean> {
  return {
    variable,
    fallback,
    meaning,
    fallbackText: fallback ? "on" : "off",
    read: (text) => {
      if (text !== "on" && text !== "off") throw new Error(`must be on or off, not "${text}".`);
      return text === "on";
    },
  };
}

/** Declares one of a fixed set of words. */
export function oneOf<Word extends string>(
  variable: string,
  fallback: Word,
  meaning: string,
  words: readonly Word[],
): Setting<Word> {
  return {
    variable,
    fallback,
    meaning,
    read: (text) => {
      const word = words.find((candidate) => candidate === text);
      if (word === undefined) throw new Error(`must be one of ${words.join(", ")}, not "${text}".`);
      return word;
    },
  };
}

/**
 * Parses the key that a relay may require from a new importer. It must be valid in a header.
 * @throws {Error} which never shows it
 */
export function parseRegistrationKey(text: string): string | undefined {
  if (/[^\x21-\x7e]/.test(text)) {
    throw new Error("must be plain letters, digits and signs, without spaces.");
  }
  return text;
}

/** Declares the key that a relay may require from a new importer. */
export function registrationKey(meaning: string): Setting<string | undefined> {
  const variable = "SOUNDFERRY_REGISTRATION_KEY";
  return { variable, meaning, fallback: undefined, read: parseRegistrationKey };
}

/**
 * Declares a secret and the file that can hold it instead, whose line break at the end doesn't count (rule SEC2).
 * @param readText reads a file as text
 */
export function secret<Name extends string, Value>(
  name: Name,
  setting: Setting<Value>,
  readText: (path: string) => string,
): Readonly<Record<Name, Setting<Value>> & Record<`${Name}File`, SecretFile<Value>>> {
  const { variable, fallback } = setting;
  const file: SecretFile<Value> = {
    variable: `${variable}_FILE`,
    meaning: `File with ${variable}, in place of it.`,
    fallback,
    holds: variable,
    read: (path) => {
      const text = secretIn(path, readText);
      try {
        return setting.read(text);
      } catch (cause) {
        throw new Error(`names a file whose content ${sentenceOf(cause)}`, { cause });
      }
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- computed names lose their type
  return { [name]: { ...setting, isSecret: true }, [`${name}File`]: file } as ReturnType<
    typeof secret<Name, Value>
  >;
}

/** Reads a secret without the line break at the file's end. */
function secretIn(path: string, readText: (path: string) => string): string {
  let text: string;
  try {
    text = withoutMark(readText(path)).replace(/\r?\n$/, "");
  } catch (cause) {
    throw new Error(`names a file that can't be read: ${path}.`, { cause });
  }
  if (text === "") throw new Error(`names an empty file: ${path}.`);
  return text;
}
