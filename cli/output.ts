/** Where a command's words go (rule K1). */
export interface Output {
  /** A message for people: a line on stderr. */
  say(line: string): void;
  /** What was asked for, on stdout: one JSON value with `--json`, else the text. Called once. */
  give(value: unknown, text: string): void;
}

export interface OutputOptions {
  readonly json?: boolean;
  /** For what a program reads while the command goes on. */
  readonly onOneLine?: boolean;
}

let isGiven = false;

/** Whether this process has given its one value already. */
export function hasGiven(): boolean {
  return isGiven;
}

/** With `json`, stdout gets nothing but the one value. */
export function outputFor({ json = false, onOneLine = false }: OutputOptions): Output {
  return {
    say: (line) => void process.stderr.write(`${harmless(line)}\n`),
    give: (value, text) => {
      isGiven = true;
      const written = json
        ? JSON.stringify(value, null, onOneLine ? undefined : 2)
        : harmless(text);
      process.stdout.write(`${written}\n`);
    },
  };
}

/** Names come from others: what would steer the terminal is shown as a question mark. */
export function harmless(text: string): string {
  return text.replaceAll(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, "\u{FFFD}");
}
