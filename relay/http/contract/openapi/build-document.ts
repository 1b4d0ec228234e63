import { errorAnswer, type Refusal, refuseAll } from "../../../../core/protocol/refusal.ts";
import type { ErrorAnswer } from "../../../../core/protocol/public-api.ts";
import { type RefusalCode, REFUSALS } from "../../../../core/protocol/refusals.ts";
import { PARTIAL_UPLOAD_TYPE } from "../../../../core/protocol/upload-draft.ts";
import { VERSION } from "../../../../core/version.ts";
import { isOpenToPages } from "../../cors.ts";
import { components, headersOf, NAMED_SCHEMAS, referring } from "./components.ts";
import type {
  ContractDocument,
  OperationObject,
  ParameterObject,
  RequestBodyObject,
  ResponseObject,
} from "./document.ts";
import {
  type DescribedRoute,
  type HeaderName,
  HEADERS,
  type Operation,
  type Reply,
  TAGS,
} from "./operation.ts";
import { PATH_PARAMS, STATUS_WORDS, WELCOME } from "./wording.ts";
import { refusalsOf } from "./refusals-of.ts";
import { refusedSample } from "./samples.ts";

/** The API's contract as OpenAPI 3.1, built from the routes that the relay serves. */
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

const CLIENT_HEADER: ParameterObject = {
  in: "header",
  name: "X-Service-Client",
  description: "Which app calls: `<app>/<version> (<display name>)`. Only logged.",
  schema: { type: "string" },
};

const IMPORTER_HEADER: ParameterObject = {
  in: "header",
  name: "X-Soundferry-Importer",
  description: "The importer's version and API version: `<version>; api=2`.",
  schema: { type: "string" },
};

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

function refusalOf(
  route: DescribedRoute,
  status: number,
  codes: readonly RefusalCode[],
): ResponseObject {
  const headers = headersOf([...sharedHeaders(route), ...refusalHeaders(status)]);
  const { name: retryAfter, ...waiting } = HEADERS.RetryAfter;
  return {
    description: STATUS_WORDS[status] ?? "Refused.",
    headers: {
      ...headers,
      // Only one of the refusals with this status adds the member.
      ...(codes.includes("RUN_ELSEWHERE") && {
        [retryAfter]: { ...waiting, description: "With `RUN_ELSEWHERE`." },
      }),
    },
    ...(route.method !== "HEAD" && { content: refusedContent(route, codes) }),
  };
}

function refusedContent(
  route: DescribedRoute,
  codes: readonly RefusalCode[],
): NonNullable<ResponseObject["content"]> {
  return {
    "application/json": {
      schema: {
        allOf: [referring(NAMED_SCHEMAS.Error), { properties: { code: { enum: codes } } }],
      },
      examples: Object.fromEntries(
        codes.map((code) => [code, { value: exampleOf(route, refusedSample(code)) }]),
      ),
    },
  };
}

function exampleOf({ operation }: DescribedRoute, refused: Refusal): ErrorAnswer {
  const isListed = operation.listsProblems === true && refused.status === 422;
  return errorAnswer(isListed ? refuseAll([refused]) : refused);
}

function refusalHeaders(status: number): HeaderName[] {
  if (status === 401) return ["Authenticate"];
  if ([429, 503, 507].includes(status)) return ["RetryAfter"];
  return status === 416 ? ["ContentRange"] : [];
}

function sharedHeaders({ auth, path }: DescribedRoute): HeaderName[] {
  if (auth === "socket") return [];
  return ["RequestId", ...(isOpenToPages(path) ? (["AllowOrigin"] as const) : [])];
}
