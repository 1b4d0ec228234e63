import { RELAY_MARK } from "../../../../core/protocol/relay-mark.ts";
import type { OperationObject, ResponseObject } from "../openapi/document.ts";
import { type Html, html, NONE } from "../../../../core/text/html.ts";
import { jsonBlock, paragraphs, words } from "./contract-text.ts";
import { renderSchema, typeText } from "./render-schema.ts";
import { PARTIAL_UPLOAD_TYPE } from "../../../../core/protocol/upload-draft.ts";

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
const EVERYWHERE = new Set(["X-Request-Id", RELAY_MARK.name, "Access-Control-Allow-Origin"]);

function renderCode(code: string, value: object): Html {
  const sentence = "error" in value ? String(value.error) : "";
  return html`<dt><code>${code}</code></dt>
    <dd>${sentence}</dd>`;
}

const SHELL_NAMES: Readonly<Record<string, string>> = {
  id: "$PACKAGE_ID",
  file: "kick.wav",
  pairing_id: "$PAIRING_ID",
};

/** One call as a shell command, which needs `RELAY` and possibly `TOKEN`, `PACKAGE_ID` or `PAIRING_ID`. */
function curlOf(path: string, method: string, operation: OperationObject): string {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => SHELL_NAMES[name] ?? name);
  const query = operation.operationId === "readStatus" ? "?wait=30&known=waiting" : "";
  return [
    `curl "$RELAY${address}${query}"`,
    ...methodOptions(method, operation),
    ...(operation.security.length > 0 ? ['--header "Authorization: Bearer $TOKEN"'] : []),
    ...headerOptions(operation),
    ...bodyOptions(operation),
    ...answerOptions(operation),
  ].join(" \\\n  ");
}

function methodOptions(method: string, { requestBody }: OperationObject): string[] {
  if (method === "GET" || requestBody?.content["audio/wav"] !== undefined) return [];
  return method === "HEAD" ? ["--head"] : [`--request ${method}`];
}

/** The headers that a call needs, with the first example of each. */
function headerOptions({ parameters = [], requestBody }: OperationObject): string[] {
  const needed = parameters.filter((one) => one.in === "header" && one.required === true);
  const headers = needed.map(({ name, schema: { examples } }): [string, unknown] => [
    name,
    Array.isArray(examples) ? examples[0] : undefined,
  ]);
  if (requestBody?.content[PARTIAL_UPLOAD_TYPE] !== undefined) {
    headers.push(["Content-Type", PARTIAL_UPLOAD_TYPE]);
  }
  return headers.map(([name, value]) => `--header "${name}: ${String(value)}"`);
}

function bodyOptions({ requestBody }: OperationObject): string[] {
  if (requestBody === undefined) return [];
  const json = requestBody.content["application/json"]?.example;
  return json === undefined
    ? ["--upload-file kick.wav"]
    : [`--data '${JSON.stringify(json).replaceAll("'", String.raw`'\''`)}'`];
}

function answerOptions({ responses }: OperationObject): string[] {
  if (responses["101"] !== undefined) {
    return [
      '--include --header "Connection: Upgrade" --header "Upgrade: websocket"',
      '--header "Sec-WebSocket-Version: 13" --header "Sec-WebSocket-Key: $(openssl rand -base64 16)"',
    ];
  }
  return responses["200"]?.content?.["audio/wav"] === undefined ? [] : ["--output kick.wav"];
}
