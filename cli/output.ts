/** The two streams of a command (rule K1). */
export interface Output {
  /** Writes a message for people, a line on stderr. */
  say(line: string): void;
  /** Writes the result to stdout: one JSON value with `--json`, otherwise the text. Called once. */
  give(value: unknown, text: string): void;
}

export interface OutputOptions {
  readonly json?: boolean;
  /** Set for programs that read the result while the command keeps running. */
  readonly onOneLine?: boolean;
}

let isGiven = false;

/** Forgets the result of the previous command, in a process that runs several. */
export function startOutput(): void {
  isGiven = false;
}

/** Checks whether the result was written. */
export function hasGiven(): boolean {
  return isGiven;
}

/** Returns the output of a command. With `json`, stdout gets only the one value. */
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

/** Replaces characters that would control the terminal, because names come from other people. */
export function harmless(text: string): string {
  return text.replaceAll(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, "\u{FFFD}");
}
