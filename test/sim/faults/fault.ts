import { afterAll, describe, test } from "vitest";
import { canMount } from "../private-disk.ts";
import { WHOLE_FORMS } from "../../whole-forms.ts";
import { Site, type SiteOptions } from "./site.ts";

/** The time of the fault: the relay (for D6, the importer) starts with it, or meets it while it runs. */
type Time = "before start" | "while running";
/** The work of an app, an importer or the relay itself while the fault lasts. */
type Activity = "send" | "import" | "sweep";

/**
 * A fault during an activity: the numbers of the rules with what must hold, and a function that causes the fault, has
 * the activity happen, asserts what holds meanwhile, and ends the fault. The site has a running relay before and after
 * it. Where a cell makes no sense, the reason.
 */
export type Cell = readonly [title: string, play: (site: Site) => Promise<void>] | string;

/** One of the faults D1 to D10, in every place where it can be met. */
export interface Fault {
  readonly name: string;
  /** The event, after "while". */
  readonly what: string;
  readonly site?: SiteOptions;
  readonly cells: Readonly<Record<`${Time} × ${Activity}`, Cell>>;
}

type PlayAt = (site: Site, isBefore: boolean) => Promise<void>;

/** The cells of a fault that is met in the same way before a start and while the relay runs. */
export function bothTimes(
  activities: Readonly<Record<Activity, readonly [title: string, play: PlayAt] | string>>,
): Fault["cells"] {
  const cellOf = (time: Time, activity: Activity): Cell => {
    const both = activities[activity];
    if (typeof both === "string") return both;
    return [both[0], (site) => both[1](site, time === "before start")];
  };
  return cellsOf(cellOf);
}

function cellsOf(cellOf: (time: Time, activity: Activity) => Cell): Fault["cells"] {
  const row = (time: Time) => ({
    [`${time} × send`]: cellOf(time, "send"),
    [`${time} × import`]: cellOf(time, "import"),
    [`${time} × sweep`]: cellOf(time, "sweep"),
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- computed names are texts to the compiler
  return { ...row("before start"), ...row("while running") } as Fault["cells"];
}

const CAN_MOUNT = canMount();

/**
 * A test for each cell of a fault with `WHOLE_FORMS=1`, otherwise for its first one; one after the other at the same site.
 * One that failed leaves the next a new site. Prints what became of every cell that was played.
 */
export function playFault({ name, what, site: options, cells }: Fault): void {
  describe(`${name}, ${what}`, () => {
    const table = new Map<string, string>();
    let site: Site | undefined;
    let hasOne = false;
    afterAll(async () => {
      await site?.[Symbol.asyncDispose]();
      for (const [place, became] of table) process.stdout.write(`${name} ${place}: ${became}\n`);
    });
    for (const [place, cell] of Object.entries(cells)) {
      if (typeof cell === "string") {
        table.set(place, `left out, ${cell}`);
        continue;
      }
      if (!WHOLE_FORMS && hasOne) continue;
      hasOne = true;
      const canRun = options?.diskSize === undefined || CAN_MOUNT;
      table.set(place, canRun ? "FAILED" : "NOT RUN, because this system allows no mount");
      const [rules, title] = splitTitle(cell[0]);
      const needs = canRun ? "" : " (needs a mount)";
      test.skipIf(!canRun)(`${rules} ${name} ${place}: ${title}${needs}`, async () => {
        const own = (site ??= await Site.open(options));
        try {
          await cell[1](own);
          await own.expectAllIsWell();
        } catch (error) {
          site = undefined;
          await own[Symbol.asyncDispose]();
          throw error;
        }
        table.set(place, "holds");
      });
    }
  });
}

/** `[Z1] a sentence` → both. */
function splitTitle(title: string): readonly [rules: string, sentence: string] {
  const space = title.indexOf(" ");
  return [title.slice(0, space), title.slice(space + 1)];
}
