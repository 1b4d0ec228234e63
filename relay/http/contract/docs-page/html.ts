/** Markup that is safe to stand in a page. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | readonly Html[];

/** Markup in which every part that is no markup itself is escaped. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const texts = strings.map((string, at) => string + print(parts[at] ?? ""));
  return new Html(texts.join(""));
}

function print(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part));
  return part.map(({ text }) => text).join("");
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Nothing. */
export const NONE = new Html("");

/** Text of the contract: code stands in backticks. */
export function words(text: string): Html {
  const parts = text.split("`");
  return html`${parts.map((part, at) => (at % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`;
}

/** The same with paragraphs, which an empty line parts. */
export function paragraphs(text: string): Html {
  return html`${text.split("\n\n").map((one) => html`<p>${words(one)}</p>`)}`;
}

/** A value as indented JSON. */
export function jsonBlock(value: unknown): Html {
  return html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`;
}
