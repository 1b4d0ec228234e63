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
    ...(method === "GET" || operation.requestBody?.content["audio/wav"] !== undefined
      ? []
      : [`--request ${method}`]),
    ...(operation.security.length > 0 ? ['--header "Authorization: Bearer $TOKEN"'] : []),
    ...bodyOptions(operation),
    ...answerOptions(operation),
  ].join(" \\\n  ");
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
