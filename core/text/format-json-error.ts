/** Says where a text stops being JSON: `isn't valid JSON (line 12, column 5).` */
export function formatJsonError(text: string): string {
  let [good, bad] = [0, text.length + 1];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (couldGoOn(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  const lines = text.slice(0, good).split("\n");
  const column = (lines.at(-1) ?? "").length + 1;
  return `isn't valid JSON (line ${lines.length}, column ${column}).`;
}

/** Whether some JSON begins like this: V8 says that the text ends too early, or where else it breaks. */
function couldGoOn(start: string): boolean {
  try {
    JSON.parse(start);
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    const position = / at position (\d+)/.exec(message)?.[1];
    return position === undefined ? message.includes("end of JSON") : +position >= start.length;
  }
}
