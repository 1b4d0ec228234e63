import type { Command } from "commander";
import type { PageOf } from "../../relay/operating/list-records.ts";
import { commandLine } from "../command.ts";
import { WrongUse } from "../fail.ts";
import type { Output } from "../output.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1000;

export interface PageFlags {
  readonly after?: string;
  readonly limit?: string;
}

/** Adds `--after` and `--limit`. */
export function withPages(command: Command): Command {
  return command
    .option("--after <id>", "go on after this one, as the page before says")
    .option("--limit <number>", `how many, at most ${MAX_LIMIT} [${DEFAULT_LIMIT}]`);
}

/** @throws {WrongUse} */
export function pageFrom({ after, limit: text = String(DEFAULT_LIMIT) }: PageFlags): PageOf {
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1 || limit > MAX_LIMIT) {
    throw new WrongUse(`--limit takes a number from 1 to ${MAX_LIMIT}.`);
  }
  return { after, limit };
}

/** Says how to go on, if there is more. @param words the command's, such as `admin devices` */
export function pointToNext(output: Output, words: readonly string[], next: string | null): void {
  if (next !== null) output.say(`More: ${commandLine([...words, "--after", next])}`);
}
