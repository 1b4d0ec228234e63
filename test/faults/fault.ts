import type { Site, SiteOptions } from "./site.ts";

export const TIMES = ["before start", "while running"] as const;
/** Whether the relay (for D6, the importer) starts with the fault, or meets it while it runs. */
export type Time = (typeof TIMES)[number];

export const ACTIVITIES = ["send", "import", "sweep"] as const;
/** What an app, an importer or the relay itself does while the fault lasts. */
export type Activity = (typeof ACTIVITIES)[number];

/** A fault during an activity. */
export interface PlayedCell {
  /** The numbers of the rules, and what must hold: the end of the test's title. */
  readonly rule: string;
  readonly title: string;
  /**
   * Causes the fault, has the activity happen, asserts what holds meanwhile, and ends the fault. The site has a
   * running relay before and after it. What must hold afterwards is asserted by the runner.
   */
  readonly play: (site: Site) => Promise<void>;
}

/** Why a cell makes no sense. */
export interface LeftOutCell {
  readonly leftOut: string;
}

export type Cell = PlayedCell | LeftOutCell;

/** One of the faults D1 to D10, in every place where it can be met. */
export interface Fault {
  readonly name: string;
  /** What happens, after "while". */
  readonly what: string;
  readonly site?: SiteOptions;
  readonly cells: Readonly<Record<Time, Readonly<Record<Activity, Cell>>>>;
}
