/** PostgreSQL's text holds every character but U+0000. */
const NUL = "\u0000";
const ESCAPE = "\u001b";

/** A text that PostgreSQL can hold, from which `unescapeText` gets the same one back. */
export function escapeText(text: string): string {
  if (!text.includes(NUL) && !text.includes(ESCAPE)) return text;
  return text.replaceAll(ESCAPE, `${ESCAPE}1`).replaceAll(NUL, `${ESCAPE}0`);
}

export function unescapeText(text: string): string {
  if (!text.includes(ESCAPE)) return text;
  return text.replaceAll(`${ESCAPE}0`, NUL).replaceAll(`${ESCAPE}1`, ESCAPE);
}

/** A parameter of a statement. Texts within objects are JSON, which escapes both characters. */
export function escapeValue(value: unknown): unknown {
  if (typeof value === "string") return escapeText(value);
  return Array.isArray(value) ? value.map(escapeValue) : value;
}
