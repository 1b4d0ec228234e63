import { displayWidth } from "./display-width.ts";

export interface TableColumn {
  readonly heading: string;
  readonly align: "left" | "right";
}

/**
 * Formats a plain-text table: headings, a rule, the rows. Columns fit their widest cell by display
 * width, two spaces apart; lines have no trailing spaces.
 * @param rows one cell per column
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
