import { displayWidth } from "./display-width.ts";

export interface TableColumn {
  readonly heading: string;
  readonly align: "left" | "right";
}

/**
 * A table as lines of plain text: headings, a rule, the rows. Columns are as wide as their widest
 * cell on the screen, two spaces apart; no line ends in a space.
 *
 * @param rows one cell for each column
 */
export function formatTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
): string[] {
  const headings = columns.map(({ heading }) => heading);
  const widths = columns.map((_, index) =>
    Math.max(...[headings, ...rows].map((row) => displayWidth(row[index] ?? ""))),
  );
  const rule = widths.map((width) => "─".repeat(width));
  return [headings, rule, ...rows].map((row) =>
    columns
      .map(({ align }, index) => pad(row[index] ?? "", widths[index] ?? 0, align))
      .join("  ")
      .trimEnd(),
  );
}

function pad(cell: string, width: number, align: TableColumn["align"]): string {
  const space = " ".repeat(width - displayWidth(cell));
  return align === "left" ? cell + space : space + cell;
}
