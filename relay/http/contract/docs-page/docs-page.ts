import type { ContractDocument } from "../openapi/document.ts";
import { DOCS_STYLE } from "./docs-style.ts";
import { Html, html, NONE, paragraphs, words } from "./html.ts";
import { renderOperation } from "./render-operation.ts";
import { renderSchema, typeText } from "./render-schema.ts";

// Separate from the markup below because the policy names the hash of exactly this text.
const STYLE = new Html(`<style>${DOCS_STYLE}</style>`);

/**
 * The contract as one page: no scripts, no external resources, an anchor for every call and schema.
 * @param options.root the way from the page to the relay's root, such as `../`
 */
export function docsPage(document: ContractDocument, { root }: { readonly root: string }): string {
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
            The same for programs: <a href="${root}openapi.json">openapi.json</a>, and the
            manifest's <a href="${root}manifest.schema.json">JSON Schema</a>.
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
