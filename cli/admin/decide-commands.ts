import type { Command } from "commander";
import { MAX_ERROR_UNITS } from "../../core/limits.ts";
import { countOf } from "../../core/text/count-of.ts";
import { onOneLine } from "../../core/text/shorten.ts";
import type { BlockSubject, Denied } from "../../relay/operating/operator-actions.ts";
import { newCommand } from "../command.ts";
import { WrongUse } from "../fail.ts";
import { formatBlocks, formatDenials, formatSwitches, formatWaiting } from "./format-lists.ts";
import {
  administer,
  lookAt,
  type PageFlags,
  pageFrom,
  parseSum,
  givePage,
  withPages,
} from "./on-relay.ts";

const WHOM = "an address, a network (CIDR) or a device's id";

/** `soundferry admin block` (rules AD3, AD4). */
export function blockCommand(): Command {
  const description =
    "Blocks an address, a network or a device: its calls are refused, and its sockets and transfers end. An IPv6 " +
    "address means its /64. Without one, lists what is blocked.";
  return withPages(newCommand("admin block", description))
    .argument("[whom]", WHOM)
    .action(async (whom: string | undefined, flags: PageFlags, command: Command) => {
      if (whom !== undefined) return decide(command, whom, true);
      const page = pageFrom(flags);
      await givePage(command, {
        name: "blocks",
        words: ["admin", "block"],
        page,
        format: formatBlocks,
      });
    });
}

/** `soundferry admin unblock`. */
export function unblockCommand(): Command {
  return newCommand("admin unblock", "Ends a block. Name it as admin block lists it.")
    .argument("<whom>", WHOM)
    .action(async (whom: string, _flags: object, command: Command) => decide(command, whom, false));
}

async function decide(command: Command, whom: string, isBlocked: boolean): Promise<void> {
  const { blockSubjectOf } = await import("../../relay/operating/operator-actions.ts");
  const subject = blockSubjectOf(whom);
  if (subject === undefined) throw new WrongUse(`Name ${WHOM}, not "${whom}".`);
  await administer(command, async (actions, output) => {
    const changed = await actions.block(subject, isBlocked);
    const json = { subject: subject.subject, kind: subject.kind, blocked: isBlocked, changed };
    output.give(json, sentenceOf(subject, { isBlocked, changed }));
  });
}

function sentenceOf(
  { subject }: BlockSubject,
  { isBlocked, changed }: { readonly isBlocked: boolean; readonly changed: boolean },
): string {
  if (changed) return `${subject} is ${isBlocked ? "blocked" : "no longer blocked"}.`;
  return isBlocked ? `${subject} was blocked already.` : `${subject} wasn't blocked.`;
}

/** `soundferry admin deny` (rule AD5). */
export function denyCommand(): Command {
  const description =
    "Denies a sound: no package with it is accepted, imported or downloaded, and its stored copies are deleted. " +
    "Without one, lists what is denied.";
  return withPages(newCommand("admin deny", description))
    .argument("[sha256]", "the SHA-256 of the file, in hex")
    .action(async (text: string | undefined, flags: PageFlags, command: Command) => {
      if (text === undefined) {
        const page = pageFrom(flags);
        return givePage(command, {
          name: "denied",
          words: ["admin", "deny"],
          page,
          format: formatDenials,
        });
      }
      const sha256 = parseSum(text);
      await administer(command, async (actions, output) => {
        const { isNew, packages, files, waiting } = await actions.deny(sha256);
        const json = { sha256, denied: true, changed: isNew, packages, files, waiting };
        output.give(json, denialSentence({ isNew, packages, files, waiting }));
      });
    });
}

function denialSentence({ isNew, packages, files, waiting }: Denied): string {
  const found =
    files === 0
      ? "The relay had no file with it."
      : `Deleted ${countOf(files, "file")} of ${countOf(packages.length, "package")}: ${packages.join(", ")}.`;
  return [isNew ? "The sound is denied." : "The sound was denied already.", found]
    .concat(formatWaiting(waiting))
    .join("\n");
}

/** `soundferry admin allow`. */
export function allowCommand(): Command {
  return newCommand("admin allow", "Accepts a denied sound again. Deleted copies don't come back.")
    .argument("<sha256>", "the SHA-256 of the file, in hex")
    .action(async (text: string, _flags: object, command: Command) => {
      const sha256 = parseSum(text);
      await administer(command, async (actions, output) => {
        const changed = await actions.allow(sha256);
        output.give(
          { sha256, denied: false, changed },
          changed ? "The sound is accepted again." : "The sound wasn't denied.",
        );
      });
    });
}

/** `soundferry admin switch` (rule AD6). */
export function switchCommand(): Command {
  const description =
    "Switches registrations, announcements or claims off, for emergencies, and on again. What is there already goes " +
    "on. Without one, lists the switches.";
  return newCommand("admin switch", description)
    .argument("[name]", "registrations, announcements or claims")
    .argument("[state]", "on or off")
    .option("--sentence <text>", `what callers read, at most ${MAX_ERROR_UNITS} characters`)
    .action(turnOrList);
}

async function turnOrList(
  name: string | undefined,
  state: string | undefined,
  { sentence }: { readonly sentence?: string },
  command: Command,
): Promise<void> {
  if (name !== undefined) {
    const { SWITCHES } = await import("../../relay/domain/ports.ts");
    const known = SWITCHES.find((each) => each === name);
    if (known === undefined)
      throw new WrongUse(`There is no switch "${name}": ${SWITCHES.join(", ")}.`);
    if (state !== "on" && state !== "off") throw new WrongUse(`Say whether ${name} are on or off.`);
    refuseSentence(sentence, state);
    await administer(
      command,
      async (actions) => void (await actions.turn(known, state === "off", sentence)),
    );
  }
  await lookAt(command, async (view, output) => {
    const switches = await view.listSwitches();
    output.give({ switches }, formatSwitches(switches));
  });
}

/** @throws {WrongUse} */
function refuseSentence(sentence: string | undefined, state: "on" | "off"): void {
  if (sentence === undefined) return;
  if (state === "on") throw new WrongUse("--sentence is what callers read while it is off.");
  const isPlain = sentence.trim() !== "" && onOneLine(sentence) === sentence;
  if (!isPlain || sentence.length > MAX_ERROR_UNITS) {
    throw new WrongUse(`--sentence takes one line of 1 to ${MAX_ERROR_UNITS} characters.`);
  }
}
