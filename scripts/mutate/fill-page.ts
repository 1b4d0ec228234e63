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
