/**
 * The params that fill a text's `{placeholders}` so that it becomes this sentence; undefined if none do.
 * Where several fit, earlier params are as short as possible.
 */
export function paramsIn(
  text: string,
  sentence: string,
): Readonly<Record<string, string>> | undefined {
  const names: string[] = [];
  const pattern = text
    .split(/\{(\w+)\}/)
    .map((piece, index) => {
      if (index % 2 === 0) return piece.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
      const known = names.indexOf(piece);
      if (known >= 0) return `\\${known + 1}`;
      names.push(piece);
      return "(.*?)";
    })
    .join("");
  const found = new RegExp(`^${pattern}$`, "s").exec(sentence);
  if (found === null) return undefined;
  return Object.fromEntries(names.map((name, index) => [name, found[index + 1] ?? ""]));
}
