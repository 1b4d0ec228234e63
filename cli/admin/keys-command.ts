import type { Command } from "commander";
import { MAX_NAME_LENGTH } from "../../core/limits.ts";
import { cleanName } from "../../core/text/clean-text.ts";
import { newCommand, withSubcommands } from "../command.ts";
import { Failure, WrongUse } from "../fail.ts";
import { minuteOf } from "../format.ts";
import { formatKeys } from "./format-lists.ts";
import { administer, givePage, type PageFlags, pageFrom, withPages } from "./on-relay.ts";

/** `soundferry admin keys` (rule AD13). */
export function keysCommand(): Command {
  const description =
    "Adds, lists and removes registration keys, for a relay with SOUNDFERRY_REGISTRATION=key. Each counts the " +
    "computers that registered with it.";
  return withSubcommands(newCommand("admin keys", description), [
    addCommand(),
    listCommand(),
    removeCommand(),
  ]);
}

interface AddFlags {
  readonly ends?: string;
  readonly max?: string;
}

function addCommand(): Command {
  const description = "Adds a key and prints it, this once: the relay keeps only its SHA-256.";
  return newCommand("admin keys add", description)
    .argument("<name>", "your name for it, such as a studio or a course")
    .option(
      "--ends <end>",
      "the last day it is valid (UTC), such as 2027-01-31, or a number of days",
    )
    .option("--max <number>", "how many computers can register with it")
    .action(async (name: string, { ends, max }: AddFlags, command: Command) => {
      requireName(name);
      const endsAt = ends === undefined ? null : parseEnd(ends, Date.now());
      const maxUses = max === undefined ? null : parseMax(max);
      await administer(command, async (actions, output) => {
        const key = await actions.addKey({ name, endsAt, maxUses });
        if (key === undefined) throw new Failure(`There is a key ${name} already.`);
        const end = endsAt === null ? null : new Date(endsAt).toISOString();
        const said = [
          `The key ${name}, shown only now:`,
          "",
          `  ${key}`,
          "",
          end === null ? "It has no end." : `It ends ${minuteOf(end)}.`,
          ...(maxUses === null ? [] : [`It is for ${maxUses} computers.`]),
        ];
        output.give({ name, key, ends_at: end, max_uses: maxUses }, said.join("\n"));
      });
    });
}

function listCommand(): Command {
  return withPages(
    newCommand("admin keys list", "Lists the keys and how often each was used."),
  ).action(async (flags: PageFlags, command: Command) =>
    givePage(command, {
      name: "keys",
      words: ["admin", "keys", "list"],
      page: pageFrom(flags),
      format: formatKeys,
    }),
  );
}

function removeCommand(): Command {
  const description = "Removes a key. Computers that registered with it stay.";
  return newCommand("admin keys remove", description)
    .argument("<name>", "as admin keys list shows it")
    .action(async (name: string, _flags: object, command: Command) => {
      if (name === SETTING)
        throw new WrongUse(`${SETTING} is SOUNDFERRY_REGISTRATION_KEY: unset that.`);
      await administer(command, async (actions, output) => {
        const changed = await actions.removeKey(name);
        if (changed === undefined) throw new Failure(`The relay has no key ${name}.`);
        const text = changed
          ? `The key ${name} is removed.`
          : `The key ${name} was removed already.`;
        output.give({ name, removed: true, changed }, text);
      });
    });
}

const SETTING = "setting";

/** @throws {WrongUse} */
function requireName(name: string): void {
  if (name === SETTING)
    throw new WrongUse(`${SETTING} is the name of SOUNDFERRY_REGISTRATION_KEY.`);
  if (name === "" || cleanName(name) !== name) {
    throw new WrongUse(
      `A key's name has 1 to ${MAX_NAME_LENGTH} letters, digits, spaces and signs.`,
    );
  }
}

const DAY_MS = 86_400_000;
const MAX_DAYS = 36_500;

/** Parses the end of a key: the end of a day in UTC, or a number of days from now. @throws {WrongUse} */
function parseEnd(text: string, now: number): number {
  const isCount = /^\d{1,5}$/.test(text);
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  const end = isCount ? now + Number(text) * DAY_MS : day + DAY_MS;
  if (!(end > now && end <= now + MAX_DAYS * DAY_MS)) {
    throw new WrongUse(
      `--ends takes a day to come, such as 2027-01-31, or a number of days, not "${text}".`,
    );
  }
  return end;
}

const MAX_USES = 1_000_000;

function parseMax(text: string): number {
  const max = Number(text);
  if (!/^\d+$/.test(text) || max < 1 || max > MAX_USES) {
    throw new WrongUse(`--max takes a number from 1 to ${MAX_USES}.`);
  }
  return max;
}
