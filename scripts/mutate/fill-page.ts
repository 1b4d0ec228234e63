/**
 * Replaces one room's part of a page, between `<!-- mutate: ROOM -->` and `<!-- end -->`.
 * @throws {Error} where the page has no such part
 */
export function fillPage(page: string, room: string, text: string): string {
  const start = `<!-- mutate: ${room} -->\n`;
  const from = page.indexOf(start);
  const to = page.indexOf("<!-- end -->", from);
  if (from < 0 || to < 0) throw new Error(`The page has no part <!-- mutate: ${room} -->.`);
  return `${page.slice(0, from + start.length)}\n${text}\n\n${page.slice(to)}`;
}

/**
 * Replaces a room's row of a page's table.
 * @param row its cells, the room first
 * @throws {Error} where the page has no such row
 */
export function fillRow(page: string, row: readonly string[]): string {
  const [room = ""] = row;
  const lines = page.split("\n");
  const index = lines.findIndex((line) => line.startsWith(`| ${room} |`));
  if (index === -1) throw new Error(`The page has no row for ${room}.`);
  return lines.with(index, `| ${row.join(" | ")} |`).join("\n");
}
