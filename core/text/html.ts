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
  const texts = strings.map((string, at) => string + formatPart(parts[at] ?? ""));
  return new Html(texts.join(""));
}

function formatPart(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part));
  return part.map(({ text }) => text).join("");
}

/** Empty markup. */
export const NONE = new Html("");
