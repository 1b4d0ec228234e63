import type { ContractDocument } from "../openapi/document.ts";
import { Html, html, NONE } from "../../../../core/text/html.ts";
import { paragraphs, words } from "./contract-text.ts";
import { renderOperation } from "./render-operation.ts";
import { renderSchema, typeText } from "./render-schema.ts";

/** The page's style. The page's policy contains its hash. */
export const DOCS_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f7f6f4; --sunk: #eceae7; --line: #cfcdc8; --ink: #1c1c1b; --quiet: #5a5853;
  --link: #0a5fbf; --method: #1d6b38;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #1c1c1c; --sunk: #292929; --line: #3d3d3d; --ink: #ecebe8; --quiet: #aeaca7;
    --link: #86bdff; --method: #7fd398;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0 auto; max-width: 76rem; padding: 1rem; display: grid; gap: 0 2.5rem;
  grid-template: "head head" auto "nav main" auto / 14rem minmax(0, 1fr);
  background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif;
}
header { grid-area: head; }
nav { grid-area: nav; align-self: start; position: sticky; top: 0; max-height: 100vh; overflow: auto; font-size: .875rem; }
main { grid-area: main; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--ground); }
nav h2 { font-size: .875rem; margin: 1rem 0 .25rem; }
nav ul { list-style: none; margin: 0; padding: 0; line-height: 1.75; }
h1 small { font-weight: normal; color: var(--quiet); font-size: 1rem; }
main h2 { margin-top: 2.5rem; }
article { border-top: 1px solid var(--line); padding: .5rem 0 1.5rem; }
h3 a { color: inherit; text-decoration: none; overflow-wrap: anywhere; }
h3 a:hover { text-decoration: underline; }
h4 { margin: 1.25rem 0 .25rem; }
.method { color: var(--method); }
.summary { font-size: 1.125rem; margin: .25rem 0; }
code, pre { font: .875em/1.5 ui-monospace, monospace; }
code { overflow-wrap: anywhere; }
pre { background: var(--sunk); padding: .75rem; border-radius: 4px; overflow: auto; font-size: .875rem; }
pre code { font-size: inherit; overflow-wrap: normal; }
.members, .codes { margin: .25rem 0; }
.members dd, .codes dd { margin: 0 0 .5rem 1rem; }
.members dd p { margin: 0; }
.members .members { border-left: 2px solid var(--line); padding-left: .75rem; }
.type { color: var(--quiet); }
.need { color: var(--quiet); font-style: italic; }
details { margin: .25rem 0; }
details[open] { margin-bottom: .75rem; }
summary { cursor: pointer; }
@media (max-width: 48rem) {
  body { display: block; }
  nav { position: static; max-height: none; }
}
`;

// Separate from the markup below because the policy names the hash of exactly this text.
const STYLE = new Html(`<style>${DOCS_STYLE}</style>`);

/**
 * The contract as one page: no scripts, no external resources, an anchor for every call and schema.
 */
export function docsPage(document: ContractDocument): string {
  const { info, tags, components } = document;
  const { text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${info.title}: reference</title>
        <link rel="icon" href="data:," />
        ${STYLE}
      </head>
      <body>
        <a class="skip" href="#content">To the content</a>
        <header>
          <h1>${info.title} <small>${info.version}</small></h1>
          <p>
            The same for programs: <a href="openapi.json">openapi.json</a>, and the manifest's
            <a href="manifest.schema.json">JSON Schema</a>.
          </p>
        </header>
        <nav aria-label="Calls">
          ${tags.map(
            ({ name }) =>
              html`<h2>${name}</h2>
                <ul>
                  ${linksOf(document, name)}
                </ul>`,
          )}
          <h2><a href="#schemas">Schemas</a></h2>
        </nav>
        <main id="content">
          ${paragraphs(info.description)}
          ${tags.map(({ name, description }) => renderTag(document, name, description))}
          <section aria-labelledby="schemas">
            <h2 id="schemas">Schemas</h2>
            ${Object.entries(components.schemas).map(
              ([name, schema]) =>
                html`<article aria-labelledby="schema-${name}">
                  <h3 id="schema-${name}"><a href="#schema-${name}">${name}</a></h3>
                  ${typeof schema["description"] === "string" ? html`<p>${words(schema["description"])}</p>` : NONE}
                  <p class="type">${typeText(schema)}</p>
                  ${renderSchema(schema)}
                </article>`,
            )}
          </section>
        </main>
      </body>
    </html> `;
  return text;
}

function renderTag(document: ContractDocument, tag: string, description: string): Html {
  const id = idOf(tag);
  const calls = callsOf(document, tag).map(({ path, method, operation }) =>
    renderOperation(path, method, operation),
  );
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${tag}</h2>
    <p>${description}</p>
    ${calls}
  </section>`;
}

function linksOf(document: ContractDocument, tag: string): Html[] {
  return callsOf(document, tag).map(
    ({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`,
  );
}

function callsOf({ paths }: ContractDocument, tag: string) {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation,
      })),
    )
    .filter(({ operation }) => operation.tags.includes(tag));
}

function idOf(tag: string): string {
  return `tag-${tag.toLowerCase().replaceAll(" ", "-")}`;
}
