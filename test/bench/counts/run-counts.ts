import { formatTable, type TableColumn } from "../../../core/text/text-table.ts";
import { formatCount } from "./compare-counts.ts";
import { GUARDED } from "./guards.ts";
import { KIND_NAMES } from "./kinds.ts";
import { countSubject, type ProcessCount } from "./measure-counts.ts";
import { SUBJECTS } from "./subjects.ts";

const COLUMNS: readonly TableColumn[] = [
  { heading: "Kind", align: "left" },
  { heading: "Count", align: "right" },
  { heading: "Most", align: "right" },
  { heading: "May grow", align: "left" },
];

/** Counts what each subject costs. */
export async function countAll(folder: string): Promise<readonly ProcessCount[]> {
  const counted: ProcessCount[] = [];
  for (const subject of SUBJECTS) counted.push(...(await countSubject(subject, folder)));
  return counted;
}

/** Formats counts for a terminal: the least and the most of the rounds. */
export function formatCounts(processes: readonly ProcessCount[]): readonly string[] {
  return processes.flatMap(({ subject, unit, process, counts, instructions }) => {
    const guarded = GUARDED[subject]?.[process] ?? [];
    const rows = KIND_NAMES.flatMap((kind) => {
      const { least = NaN, most = 0 } = counts[kind] ?? {};
      const bound = guarded.includes(kind) ? "by 10 %" : "";
      return formatCount(most) === "0"
        ? []
        : [[kind, formatCount(least), formatCount(most), bound]];
    });
    const inProgram =
      instructions === null
        ? "not counted on this machine"
        : `${formatCount(instructions)} for one ${unit}`;
    return [
      `${subject}, ${process}: for one ${unit}`,
      ...[...formatTable(COLUMNS, rows), `Instructions: ${inProgram}.`].map((line) => `  ${line}`),
      "",
    ];
  });
}
