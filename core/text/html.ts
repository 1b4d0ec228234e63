import { escapeHtml } from "./escape-html.ts";

/** Markup that is safe to insert into a page. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | readonly Html[];

/** Builds markup and escapes every part that is not `Html`. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = "";
  // Added up, not joined: a page with sounds in it would be copied at each level.
  for (const [at, string] of strings.entries()) text += string + formatPart(parts[at] ?? "");
  return new Html(text);
}

function formatPart(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part));
  let text = "";
  for (const one of part) text += one.text;
  return text;
}

/** Empty markup. */
export const NONE = new Html("");
