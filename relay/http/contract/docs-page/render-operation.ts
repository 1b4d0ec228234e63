import type { OperationObject, ResponseObject } from "../openapi/document.ts";
import { curlOf } from "./curl-of.ts";
import { type Html, html, jsonBlock, NONE, paragraphs, words } from "./html.ts";
import { renderSchema, typeText } from "./render-schema.ts";

/** One call: its purpose, its parameters, an example, and every possible answer. */
export function renderOperation(path: string, method: string, operation: OperationObject): Html {
  const { operationId: id, summary, description = "", parameters = [] } = operation;
  return html`<article aria-labelledby="${id}">
    <h3 id="${id}">
      <a href="#${id}"><span class="method">${method}</span> <code>${path}</code></a>
    </h3>
    <p class="summary">${summary}.</p>
    ${paragraphs(description)} ${tokenLine(operation)}
    ${
      parameters.length === 0
        ? NONE
        : html`<h4>Parameters</h4>
            <dl class="members">
              ${parameters.map(
                ({ name, in: place, schema, description: meaning, required }) =>
                  html`<dt>
                      <code>${name}</code> <span class="type">${place}, ${typeText(schema)}</span>${
                        required === true ? html` <span class="need">required</span>` : NONE
                      }
                    </dt>
                    <dd><p>${words(meaning)}</p></dd>`,
              )}
            </dl>`
    }
    ${renderBody(operation)}
    <h4>With curl</h4>
    <pre tabindex="0"><code class="curl">${curlOf(path, method, operation)}</code></pre>
    <h4>Answers</h4>
    ${Object.entries(operation.responses).map(([status, response]) => renderResponse(status, response))}
  </article>`;
}

function tokenLine({ security }: OperationObject): Html {
  const [scheme] = security.flatMap((one) => Object.keys(one));
  if (scheme === undefined) return html`<p>Needs no token.</p>`;
  return html`<p>Needs the token of ${scheme === "appToken" ? "an app" : "an importer"}.</p>`;
}

function renderBody({ requestBody }: OperationObject): Html {
  if (requestBody === undefined) return NONE;
  const { schema, example } = requestBody.content["application/json"] ?? {};
  return html`<h4>Body${requestBody.required ? "" : ", may be empty"}</h4>
    ${
      schema === undefined
        ? html`<p>${requestBody.description ?? ""}</p>`
        : html`<p>${typeText(schema)}</p>`
    }${example === undefined ? NONE : jsonBlock(example)}`;
}

function renderResponse(status: string, response: ResponseObject): Html {
  const media = Object.entries(response.content ?? {});
  const [[type, { schema, example, examples }] = ["", {}]] = media;
  const codes = Object.entries(examples ?? {});
  const kind =
    schema === undefined || codes.length > 0 || schema["$ref"] === undefined
      ? html`${type === "application/json" ? "" : type}`
      : typeText(schema);
  const headers = Object.keys(response.headers).filter((name) => !EVERYWHERE.has(name));
  return html`<details${Number(status) < 400 ? OPEN : NONE}><summary><strong>${status}</strong> ${response.description}</summary>
<p>${kind}</p>${schema === undefined || codes.length > 0 ? NONE : renderSchema(schema)}
${codes.length === 0 ? NONE : html`<dl class="codes">${codes.map(([code, { value }]) => renderCode(code, value))}</dl>`}
${example === undefined ? NONE : jsonBlock(example)}
${headers.length === 0 ? NONE : html`<p>With ${headers.map((name, at) => html`${at === 0 ? "" : ", "}<code>${name}</code>`)}.</p>`}
</details>`;
}

const OPEN = html` open`;
/** Headers that the introduction already covers. */
const EVERYWHERE = new Set(["X-Request-Id", "Access-Control-Allow-Origin"]);

function renderCode(code: string, value: object): Html {
  const sentence = "error" in value ? String(value.error) : "";
  return html`<dt><code>${code}</code></dt>
    <dd>${sentence}</dd>`;
}
