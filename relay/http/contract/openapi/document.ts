import type { JsonObject } from "../../../../core/text/json-object.ts";

// The part of OpenAPI 3.1 that the contract uses.

export interface ContractDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: JsonObject;
    readonly contact?: JsonObject;
  };
  readonly jsonSchemaDialect: string;
  readonly servers: readonly JsonObject[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** The operations by path, then by lowercase method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonObject>>;
    readonly headers: Readonly<Record<string, HeaderObject>>;
    readonly securitySchemes: Readonly<Record<string, JsonObject>>;
  };
}

export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  /** Empty if anyone may call. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: RequestBodyObject;
  /** The responses by status. */
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

export interface ParameterObject {
  readonly in: "path" | "query" | "header";
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
  readonly schema: JsonObject;
}

export interface RequestBodyObject {
  readonly required: boolean;
  readonly description?: string;
  readonly content: Readonly<Record<string, MediaObject>>;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, HeaderObject | { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, MediaObject>>;
}

export interface HeaderObject {
  readonly description: string;
  /** True if every such answer has the header. */
  readonly required?: boolean;
  readonly schema: JsonObject;
}

interface MediaObject {
  readonly schema?: JsonObject;
  readonly example?: object;
  readonly examples?: Readonly<Record<string, { readonly value: object }>>;
}
