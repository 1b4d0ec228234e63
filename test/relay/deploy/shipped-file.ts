/** The file with those settings that it has in comments: lines that begin with a # and no space. */
export function uncommented(text: string): string {
  return text.replace(/^(\t*)#(?=[^\s#])/gm, "$1").replace(/^#(?= {4}\S)/gm, "");
}

/** The seconds that a file gives something, such as `timeout tunnel 120s`. @throws unless it does so exactly once */
export function secondsOf(text: string, before: string): number {
  const lines = text.split("\n").map((line) => line.trim());
  const values = lines.flatMap((line) =>
    line.startsWith(`${before} `) ? [line.slice(before.length + 1).replace(/;$/, "")] : [],
  );
  const [, amount, unit] = /^(\d+)(ms|s|m)$/.exec(values.join(" ")) ?? [];
  if (amount === undefined)
    throw new Error(`${before} has no time, or several: ${values.join(" ")}`);
  return Number(amount) * (unit === "ms" ? 0.001 : unit === "m" ? 60 : 1);
}
