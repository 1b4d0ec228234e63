import { html, type Html } from "../../../../core/text/html.ts";

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
