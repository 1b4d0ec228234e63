/**
 * Replaces one folder's part of a page, between `<!-- mutate: FOLDER -->` and `<!-- end -->`.
 * @throws {Error} where the page has no such part
 */
export function fillPage(page: string, folder: string, text: string): string {
  const start = `<!-- mutate: ${folder} -->\n`;
  const from = page.indexOf(start);
  const to = page.indexOf("<!-- end -->", from);
  if (from < 0 || to < 0) throw new Error(`The page has no part <!-- mutate: ${folder} -->.`);
  return `${page.slice(0, from + start.length)}\n${text}\n\n${page.slice(to)}`;
}

/**
 * Replaces a folder's row of a page's table.
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
