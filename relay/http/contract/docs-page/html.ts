import { escapeHtml } from "../../../../core/text/escape-html.ts";

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

/** Text of the contract; backticks mark code. */
export function words(text: string): Html {
  const parts = text.split("`");
  return html`${parts.map((part, at) => (at % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`;
}

/** The same with paragraphs, separated by an empty line. */
export function paragraphs(text: string): Html {
  return html`${text.split("\n\n").map((one) => html`<p>${words(one)}</p>`)}`;
}

/** A value as indented JSON. */
export function jsonBlock(value: unknown): Html {
  return html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`;
}
