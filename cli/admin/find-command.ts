import type { Command } from "commander";
import type { Found } from "../../relay/operating/find.ts";
import { newCommand } from "../command.ts";
import { Failure, WrongUse } from "../fail.ts";
import { minuteOf } from "../format.ts";
import { formatFound } from "./format-found.ts";
import { flagged, lookAt, type PageFlags, pageFrom, printMore, withLimit } from "./on-relay.ts";

/** `soundferry admin find` (rule AD12). */
export function findCommand(): Command {
  const description =
    "Finds packages, computers and apps by the beginning of an id, or by a part of a title or a name. If that is " +
    "one package, shows its history, and what explains its state.";
  return withLimit(newCommand("admin find", description))
    .argument("<text>", "an id or its beginning, or a part of a title or a name")
    .action(async (text: string, flags: PageFlags, command: Command) => {
      const { limit } = pageFrom(flags);
      const wanted = text.trim();
      if (wanted === "") throw new WrongUse("Name an id, a title or a name.");
      await lookAt(command, async (view, output) => {
        const found = await view.find(wanted, limit);
        if (isNothing(found)) throw new Failure(await formatNothing(wanted, view));
        output.give(jsonOf(found), formatFound(found));
        for (const name of LISTS) {
          const { next } = found[name];
          const { id, ...filter } = found.filters[name] ?? {};
          if (id === undefined) printMore(output, ["admin", name, ...flagged(filter)], next);
          else if (next !== null)
            output.say(`More than ${limit} begin with ${id}. Name more of the id.`);
        }
      });
    });
}

const LISTS = ["devices", "apps", "packages"] as const;

function isNothing(found: Found): boolean {
  return LISTS.every((name) => found[name].items.length === 0);
}

function jsonOf({ story, device, ...found }: Found) {
  const items = LISTS.map((name) => [name, found[name].items] as const);
  const next = LISTS.map((name) => [name, found[name].next] as const);
  return {
    package: story ?? null,
    device: device ?? null,
    ...Object.fromEntries(items),
    next: Object.fromEntries(next),
  };
}

/** Says what is on record about something that isn't there. */
async function formatNothing(
  text: string,
  view: Parameters<Parameters<typeof lookAt>[1]>[0],
): Promise<string> {
  const gone = /^pkg_[\w-]+$/.test(text) ? await view.findGone(text) : undefined;
  if (gone === undefined) return `The relay has nothing with "${text}". ${NOT_ON_RECORD}`;
  const how =
    gone.who === undefined ? "was withdrawn by its app, or purged" : `was purged by ${gone.who}`;
  return `${gone.package_id} ${how}, ${minuteOf(gone.at)}.`;
}

const NOT_ON_RECORD =
  "What was refused, for example for lack of room, is not on record: see the relay's log. Packages are forgotten 7 " +
  "days after their files were deleted.";
