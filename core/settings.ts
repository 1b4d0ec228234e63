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
}

/** Settings by their name in code. */
export type SettingsTable = Readonly<Record<string, Setting<unknown>>>;

export type SettingsOf<Table extends SettingsTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer Value> ? Value : never;
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
  const values = Object.entries(table).map(([name, setting]) => {
    const text = sources.map((source) => source[setting.variable]).find((found) => !!found);
    if (text === undefined) return [name, setting.fallback];
    try {
      return [name, setting.read(text)];
    } catch (error) {
      problems.push(`${setting.variable} ${sentenceOf(error)}${whereFrom(text)}`);
      return [name, setting.fallback];
    }
  });
  if (problems.length > 0) throw new SettingsError(problems);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fromEntries loses the type of each name; the table's readers guarantee it
  return Object.fromEntries(values) as SettingsOf<Table>;
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

/** The problem of setting both the key and its file. */
export const KEY_AND_FILE =
  "SOUNDFERRY_REGISTRATION_KEY and SOUNDFERRY_REGISTRATION_KEY_FILE can't both be set.";

/**
 * Declares a file with the registration key, whose line break at the end doesn't count (rule K12).
 * @param readText reads a file as text
 */
export function registrationKeyFile(
  readText: (path: string) => string,
): Setting<string | undefined> {
  return {
    variable: "SOUNDFERRY_REGISTRATION_KEY_FILE",
    meaning: "File with that key, in place of it.",
    fallback: undefined,
    read: (path) => {
      const key = readOr(path, readText).replace(/\r?\n$/, "");
      if (key === "") throw new Error(`names an empty file: ${path}.`);
      try {
        return parseRegistrationKey(key);
      } catch (cause) {
        throw new Error(`names a file with a space or a second line: ${path}.`, { cause });
      }
    },
  };
}

function readOr(path: string, readText: (path: string) => string): string {
  try {
    return withoutMark(readText(path));
  } catch (cause) {
    throw new Error(`names a file that can't be read: ${path}.`, { cause });
  }
}
