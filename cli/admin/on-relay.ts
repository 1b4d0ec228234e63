import { userInfo } from "node:os";
import type { Command } from "commander";
import {
  type Listed,
  type ListFilter,
  type ListName,
  type PageOf,
  PLACE_IN_TIME,
} from "../../relay/operating/listed.ts";
import type { Administration } from "../../relay/operating/administer.ts";
import type { RelayView } from "../../relay/operating/relay-view.ts";
import { commandLine, quoteIfNeeded } from "../command.ts";
import { relaySettingsOf } from "../commands/relay/relay-data.ts";
import { WrongUse } from "../fail.ts";
import { type Output, outputFor } from "../output.ts";

/** Looks at the records of the relay that a command names. Changes nothing. */
export async function lookAt(
  command: Command,
  look: (view: RelayView, output: Output) => Promise<void>,
): Promise<void> {
  const settings = relaySettingsOf(command);
  const { openView } = await import("../../relay/operating/relay-view.ts");
  await using view = await openView(settings);
  await look(view, outputFor(command.optsWithGlobals()));
}

/** Changes something at the relay that a command names. */
export async function administer(
  command: Command,
  act: (actions: Administration, output: Output) => Promise<void>,
): Promise<void> {
  const settings = relaySettingsOf(command);
  const { openActions } = await import("../../relay/operating/administer.ts");
  await using actions = await openActions(settings, { who: whoRuns() });
  await act(actions, outputFor(command.optsWithGlobals()));
}

/** The user of the operating system, and who became that user with sudo. */
function whoRuns(): string {
  const behind = process.env["SUDO_USER"];
  const name = userName();
  return behind === undefined || behind === name ? name : `${name} (sudo by ${behind})`;
}

/** A container's user may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_SYSTEM_ERROR"))
      throw error;
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1000;

export interface PageFlags {
  readonly after?: string;
  readonly limit?: string;
}

/** Adds `--after` and `--limit`. */
export function withPages(command: Command): Command {
  return withLimit(
    command.option("--after <place>", "go on after this place, as the page before says"),
  );
}

/** Adds `--limit`. */
export function withLimit(command: Command): Command {
  return command.option("--limit <number>", `how many, at most ${MAX_LIMIT} [${DEFAULT_LIMIT}]`);
}

/** @throws {WrongUse} */
export function pageFrom({ after, limit: text = String(DEFAULT_LIMIT) }: PageFlags): PageOf {
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1 || limit > MAX_LIMIT) {
    throw new WrongUse(`--limit takes a number from 1 to ${MAX_LIMIT}.`);
  }
  return { after, limit };
}

/** The same for a list by time. @throws {WrongUse} */
export function pageInTime(flags: PageFlags): PageOf {
  const page = pageFrom(flags);
  if (page.after !== undefined && !PLACE_IN_TIME.test(page.after)) {
    throw new WrongUse("--after takes a place in the list, as the page before says it.");
  }
  return page;
}

/** The flags that were given, as words of a shell. */
export function flagged(flags: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, quoteIfNeeded(value)],
  );
}

/** A list that a command prints page by page. */
interface PagedList<Name extends ListName> {
  readonly name: Name;
  /** The command's words, such as `admin devices`, with the flags that were given. */
  readonly words: readonly string[];
  readonly page: PageOf;
  readonly filter?: ListFilter;
  readonly format: (items: readonly Listed[Name][]) => string;
}

/** Prints one page of a list, and says how to get the next. */
export function givePage<Name extends ListName>(
  command: Command,
  { name, words, page, filter, format }: PagedList<Name>,
): Promise<void> {
  return lookAt(command, async (view, output) => {
    const { items, next } = await view.list(name, page, filter);
    output.give({ [name]: items, next }, format(items));
    printMore(output, words, next);
  });
}

/** Says how to get the next page, if there is one. @param words the list's command with its flags */
export function printMore(output: Output, words: readonly string[], next: string | null): void {
  if (next !== null) output.say(`More: ${commandLine([...words, "--after", next])}`);
}

/** A SHA-256 as the records have it. @throws {WrongUse} */
export function parseSum(text: string): string {
  if (!/^[0-9a-f]{64}$/i.test(text)) {
    throw new WrongUse(`A sound is named by its SHA-256, 64 hex characters, not "${text}".`);
  }
  return text.toLowerCase();
}
