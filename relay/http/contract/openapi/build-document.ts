import { MAX_HEADERS_SECONDS, RELAY_DEFAULTS } from "../../../../core/limits.ts";
import { REFUSALS } from "../../../../core/protocol/refusals.ts";
import { PARTIAL_UPLOAD_TYPE } from "../../../../core/protocol/upload-draft.ts";
import { VERSION } from "../../../../core/version.ts";
import { RETRY_ADVICE, TOKEN_ADVICE } from "../advice.ts";
import { components, headersOf, referring, sharedHeaders } from "./components.ts";
import type {
  ContractDocument,
  OperationObject,
  RequestBodyObject,
  ResponseObject,
} from "./document.ts";
import { type DescribedRoute, header, type Operation, type Reply, TAGS } from "./operation.ts";
import { refusalOf, refusalsOf } from "./refusals.ts";

/** The contract's introduction. Paragraphs; backticks mark code. */
const WELCOME = [
  "An app sends a package of WAVs; the relay keeps it until someone clicks Import in the host. It becomes a scene with one track per sound, " +
    "and the app reads the result of each.",
  "Five steps: `POST /pair/claim` once, `POST /packages`, `PUT` each file, commit, follow the status.",
  "`HEAD` works wherever `GET` does. All paths are relative to the relay's address. JSON goes both ways; `Content-Type` matters in `PATCH` only. Times are ISO 8601 in UTC, " +
    "and each `expires_at` comes with `expires_in` in seconds. Answers may gain members: ignore those you don't know.",
  `The token goes into \`Authorization: Bearer …\`. ${TOKEN_ADVICE}`,
  "Every answer of 400 or above is `Error`: `error` to show, `code` to switch on. This includes an unknown address (404 `PATH_UNKNOWN`), " +
    `a method that an address doesn't support (405 \`METHOD_WRONG\`, with \`Allow\`) and headers that take longer than ${MAX_HEADERS_SECONDS} seconds ` +
    "(408 `REQUEST_TOO_SLOW`).",
  RETRY_ADVICE,
  "Outside `/importer/` any page may call: a preflight is answered 204 for every path, and every answer carries CORS headers.",
  `${RELAY_DEFAULTS.callsPerMinute} calls a minute for each token; the window slides. Limits and times are the defaults; the relay's operator can change them.`,
  "200 and 201 mean saved to disk.",
].join("\n\n");

/** Path parameters, by name. */
const PATH_PARAMS: Readonly<Record<string, string>> = {
  id: "The `package_id`.",
  file: "The name of a file in the manifest, percent-encoded.",
  pairing_id: "The `pairing_id` of an app.",
};

/** Builds the API's contract as OpenAPI 3.1 from the routes that the relay serves. */
export function buildDocument(routes: readonly DescribedRoute[]): ContractDocument {
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Soundferry relay",
      version: VERSION,
      description: WELCOME,
      license: { name: "MIT", identifier: "MIT" },
    },
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    servers: [{ url: "/", description: "The relay that serves this document." }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: components(),
  };
}

function operationOf(route: DescribedRoute): OperationObject {
  const { operation } = route;
  const { id, tag, summary, description, body } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: securityOf(route),
    ...withParameters(route),
    ...(body !== undefined && { requestBody: bodyOf(body) }),
    responses: Object.fromEntries([
      ...Object.entries(operation.answers).map(([status, reply]) => [
        status,
        replyOf(route, reply),
      ]),
      ...[...refusalsOf(route)].map(([status, codes]) => [
        String(status),
        refusalOf(route, status, codes),
      ]),
    ]),
  };
}

function securityOf({ auth }: DescribedRoute): OperationObject["security"] {
  if (auth === "open") return [];
  return [{ [auth === "app" ? "appToken" : "importerToken"]: [] }];
}

function withParameters(route: DescribedRoute): Pick<OperationObject, "parameters"> {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    in: "path" as const,
    name,
    required: true,
    description: PATH_PARAMS[name] ?? "",
    schema: { type: "string" },
  }));
  const parameters = [
    ...inPath,
    ...(route.operation.parameters ?? []),
    ...(route.auth === "app" ? [CLIENT_HEADER] : []),
    ...(refusalsOf(route).has(REFUSALS.IMPORTER_TOO_OLD.status) ? [IMPORTER_HEADER] : []),
  ];
  return parameters.length > 0 ? { parameters } : {};
}

const CLIENT_HEADER = header(
  "X-Service-Client",
  "Which app calls: `<app>/<version> (<display name>)`. Only logged.",
);
const IMPORTER_HEADER = header(
  "X-Soundferry-Importer",
  "The importer's version and API version: `<version>; api=2`.",
);

function bodyOf(body: NonNullable<Operation["body"]>): RequestBodyObject {
  if (body.kind === "wav") {
    return {
      required: true,
      description: "The bytes of the file. Any content type is accepted.",
      content: { "audio/wav": {} },
    };
  }
  if (body.kind === "part") {
    return {
      required: true,
      description: "The next bytes of the file.",
      content: { [PARTIAL_UPLOAD_TYPE]: {} },
    };
  }
  return {
    required: body.isRequired,
    content: { "application/json": { schema: referring(body.schema), example: body.example } },
  };
}

function replyOf(route: DescribedRoute, reply: Reply): ResponseObject {
  const { description, schema, example, contentType, messages, headers = [] } = reply;
  const isLimited = route.auth === "app" || route.auth === "importer";
  const json = schema && {
    "application/json": {
      schema: referring(schema),
      ...(example !== undefined && { example }),
    },
  };
  const content = contentType === undefined ? json : { [contentType]: {} };
  return {
    description,
    headers: headersOf([
      ...sharedHeaders(route),
      ...(isLimited ? (["RateLimit", "RateLimitPolicy"] as const) : []),
      ...headers,
    ]),
    ...(content !== undefined && { content }),
    ...(messages !== undefined && { "x-messages": referring(messages) }),
  };
}
