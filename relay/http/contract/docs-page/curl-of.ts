import { PARTIAL_UPLOAD_TYPE } from "../../../../core/protocol/upload-draft.ts";
import type { OperationObject } from "../openapi/document.ts";

const SHELL_NAMES: Readonly<Record<string, string>> = {
  id: "$PACKAGE_ID",
  file: "kick.wav",
  pairing_id: "$PAIRING_ID",
};

/** One call as a shell command, which needs `RELAY` and possibly `TOKEN`, `PACKAGE_ID` or `PAIRING_ID`. */
export function curlOf(path: string, method: string, operation: OperationObject): string {
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
