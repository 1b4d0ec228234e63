/**
 * Replaces a folder's row in a page's table.
 * @param row its cells, the folder first
 * @throws {Error} where the page has no such row
 */
export function fillRow(page: string, row: readonly string[]): string {
  const [folder = ""] = row;
  const lines = page.split("\n");
  const index = lines.findIndex((line) => line.startsWith(`| ${folder} |`));
  if (index === -1) throw new Error(`The page has no row for ${folder}.`);
  return lines.with(index, `| ${row.join(" | ")} |`).join("\n");
}
