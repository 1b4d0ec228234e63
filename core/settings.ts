/** One setting: how its text is read, and what stands where none was given. */
export interface Setting<Value> {
  /** The environment variable; the flag is made of it: `SOUNDFERRY_PORT` → `--port`. */
  readonly variable: string;
  /** One line for people. */
  readonly meaning: string;
  readonly fallback: Value;
  /** What to show in place of `fallback` where that depends on the machine. */
  readonly fallbackText?: string;
  /** @throws {Error} whose message says what the text should be, such as `must be a whole number` */
  readonly read: (text: string) => Value;
}

/** A table of settings, by the name that the code uses. */
export type SettingsTable = Readonly<Record<string, Setting<unknown>>>;

export type SettingsOf<Table extends SettingsTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer Value> ? Value : never;
};

/** Where texts come from, strongest first: flags, then the environment, then what was stored. */
export type SettingsSource = Readonly<Record<string, string | undefined>>;

/** Settings that can't be used, each with a sentence. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/**
 * Reads a whole table. An empty text counts as not given. Every source is keyed by the variable's name.
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
      problems.push(
        `${setting.variable} ${error instanceof Error ? error.message : String(error)}`,
      );
      return [name, setting.fallback];
    }
  });
  if (problems.length > 0) throw new SettingsError(problems);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fromEntries forgets which name has which type; the table's readers vouch for it
  return Object.fromEntries(values) as SettingsOf<Table>;
}

/** The flag of a setting: `SOUNDFERRY_BASE_URL` → `base-url`. */
export function flagOf(variable: string): string {
  return variable.replace("SOUNDFERRY_", "").toLowerCase().replaceAll("_", "-");
}

/** A whole number from `min` to `max`. */
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
    read: (text) => {
      const value = Number(text);
      if (!/^\d+$/.test(text.trim()) || value < min || value > max) {
        throw new Error(`must be a whole number from ${min} to ${max}, not "${text}".`);
      }
      return value;
    },
  };
}

/** Any text. */
export function plainText<Fallback extends string | undefined>(
  variable: string,
  fallback: Fallback,
  meaning: string,
  fallbackText?: string,
): Setting<string | Fallback> {
  return {
    variable,
    fallback,
    meaning,
    ...(fallbackText !== undefined && { fallbackText }),
    read: (text) => text,
  };
}

/** On or off. */
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

/** One of a few words. */
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
