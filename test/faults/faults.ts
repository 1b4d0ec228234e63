import { ANOTHER_RELAY } from "./another-relay.ts";
import { CHANGED_DATABASE } from "./changed-database.ts";
import { CUT_BODIES } from "./cut-bodies.ts";
import { ACTIVITIES, type Fault, type Time, TIMES } from "./fault.ts";
import { FULL_DISK } from "./full-disk.ts";
import { LEFTOVERS } from "./leftovers.ts";
import { LOCKED_DATABASE } from "./locked-database.ts";
import { LOST_SOUNDS } from "./lost-sounds.ts";
import { UNDELETABLE_FILE } from "./undeletable-file.ts";
import { WRONG_CLOCK } from "./wrong-clock.ts";
import { WRONG_DATABASE } from "./wrong-database.ts";

export const FAULTS: readonly Fault[] = [
  WRONG_DATABASE,
  FULL_DISK,
  WRONG_CLOCK,
  CHANGED_DATABASE,
  LOST_SOUNDS,
  ANOTHER_RELAY,
  CUT_BODIES,
  UNDELETABLE_FILE,
  LOCKED_DATABASE,
  LEFTOVERS,
];

/** The matrix for a page, in Markdown. */
export function formatMatrix(faults: readonly Fault[]): string {
  const head = ["Fault", "Before start", "While running", "Left out, and why"];
  const rows = faults.map((fault) => [
    `${fault.name}: ${fault.what}`,
    ...TIMES.map((time) => played(fault, time).join(", ") || "–"),
    leftOut(fault) || "–",
  ]);
  const [first, ...others] = [head, ...rows].map((row) => `| ${row.join(" | ")} |`);
  return [first, `|${head.map(() => "---|").join("")}`, ...others].join("\n");
}

function played({ cells }: Fault, time: Time): readonly string[] {
  return ACTIVITIES.filter((activity) => "play" in cells[time][activity]);
}

function leftOut({ cells }: Fault): string {
  const places = TIMES.flatMap((time) =>
    ACTIVITIES.flatMap((activity) => {
      const cell = cells[time][activity];
      return "leftOut" in cell ? [{ place: `${time} × ${activity}`, reason: cell.leftOut }] : [];
    }),
  );
  const byReason = Map.groupBy(places, ({ reason }) => reason);
  const sentences = [...byReason].map(
    ([reason, of]) => `${of.map(({ place }) => place).join(", ")}: ${reason}.`,
  );
  return sentences.join(" ");
}
