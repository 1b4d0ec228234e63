import addFormats from "ajv-formats";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";
import type {
  ContractDocument,
  HeaderObject,
  OperationObject,
  ResponseObject,
} from "../../../../relay/http/contract/openapi/document.ts";

/** An answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number;
  /** By lowercase name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** One operation with its address. */
export interface AddressedOperation extends OperationObject {
  readonly method: string;
  /** Path as the contract writes it: `/packages/{id}/status`. */
  readonly path: string;
}

/**
 * Validates every answer against the contract and records what was produced. Schemas are closed for this: a
 * member or a code that the contract lacks is an error.
 */
export class ContractWatch {
  readonly operations: ReadonlyMap<string, AddressedOperation>;
  readonly produced = new Set<string>();
  readonly #contract: ContractDocument;
  readonly #ajv: Ajv2020;
  /** The headers that the contract describes somewhere, but those that answers of any kind may have. */
  readonly #known: ReadonlySet<string>;
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(contract: ContractDocument) {
    this.#contract = contract;
    this.operations = new Map(
      Object.entries(contract.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(
          ([method, operation]) =>
            [operation.operationId, { ...operation, method: method.toUpperCase(), path }] as const,
        ),
      ),
    );
    const named = [...this.operations.values()].flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ headers }) => Object.keys(headers)),
    );
    const general = new Set(["access-control-allow-origin", "content-security-policy"]);
    this.#known = new Set(
      named.map((header) => header.toLowerCase()).filter((header) => !general.has(header)),
    );
    this.#ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(closed(contract) as object, "contract");
  }

  /** Every status of every operation, and every code of a refusal: `readStatus 404 PACKAGE_UNKNOWN`. */
  documented(): string[] {
    return [...this.operations.values()].flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, response]) => {
        const codes = codesOf(response);
        return codes.length === 0
          ? [`${operationId} ${status}`]
          : codes.map((code) => `${operationId} ${status} ${code}`);
      }),
    );
  }

  operation(id: string): AddressedOperation {
    const operation = this.operations.get(id);
    if (operation === undefined) throw new Error(`The contract has no ${id}.`);
    return operation;
  }

  /** Fails if the contract does not allow this answer. */
  judge(id: string, answer: WireAnswer): void {
    const { path, method, responses } = this.operation(id);
    const name = `${id} ${answer.status} ${answer.text.slice(0, 200)}`;
    const response = responses[String(answer.status)];
    if (response === undefined) throw new Error(`The contract does not promise ${name}`);
    this.#judgeHeaders(name, response, answer);
    // The contract itself is the same for everybody (rule SEC1).
    const mayBeKept = id === "readContract" && answer.status < 400;
    const caching = answer.headers.get("cache-control");
    if (answer.status !== 101) expect(caching, name).toBe(mayBeKept ? "no-cache" : "no-store");
    const pointer = [
      "contract#/paths",
      escape(path),
      method.toLowerCase(),
      "responses",
      String(answer.status),
    ].join("/");
    const code = this.#judgeBody(name, pointer, response, answer);
    this.produced.add([id, String(answer.status), ...code].join(" "));
  }

  #judgeHeaders(name: string, { headers }: ResponseObject, answer: WireAnswer): void {
    for (const [header, described] of Object.entries(headers)) {
      const { required, schema } = this.#headerOf(described);
      const value = answer.headers.get(header.toLowerCase());
      if (required !== true && value === undefined) continue;
      expect(value, `${name}: ${header}`).toBeDefined();
      expect(this.#ajv.validate(schema, value), `${name}: ${header}: ${value}`).toBe(true);
    }
    const described = new Set(Object.keys(headers).map((header) => header.toLowerCase()));
    const lacking = [...answer.headers.keys()].filter(
      (header) => this.#known.has(header) && !described.has(header),
    );
    expect(lacking, name).toEqual([]);
  }

  #headerOf(described: ResponseObject["headers"][string]): HeaderObject {
    if (!("$ref" in described)) return described;
    const header = this.#contract.components.headers[described.$ref.split("/").at(-1) ?? ""];
    if (header === undefined) throw new Error(`The contract has no header ${described.$ref}.`);
    return header;
  }

  /** @returns the code of a refusal, otherwise nothing */
  #judgeBody(
    name: string,
    pointer: string,
    { content = {} }: ResponseObject,
    answer: WireAnswer,
  ): string[] {
    const [media] = Object.entries(content);
    if (media === undefined) {
      expect(answer.text, name).toBe("");
      return [];
    }
    const [type, { schema }] = media;
    const sent = answer.headers.get("content-type") ?? "none";
    expect(sent.split(";")[0], name).toBe(type.split(";")[0]);
    if (schema === undefined) return [];
    const json: { readonly code?: string } = JSON.parse(answer.text);
    const validate = this.#validator(`${pointer}/content/${escape(type)}/schema`);
    validate(json);
    expect(validate.errors ?? [], name).toEqual([]);
    return answer.status >= 400 ? [json.code ?? "none"] : [];
  }

  #validator(pointer: string): ValidateFunction {
    const validator = this.#validators.get(pointer) ?? this.#ajv.compile({ $ref: pointer });
    this.#validators.set(pointer, validator);
    return validator;
  }
}

function codesOf({ content = {} }: ResponseObject): string[] {
  return Object.keys(content["application/json"]?.examples ?? {});
}

function escape(part: string): string {
  const pointed = part.replaceAll("~", "~0").replaceAll("/", "~1");
  return encodeURIComponent(pointed).replaceAll("~", "~");
}

/** The same schema without additional members; enumerations of codes stay unchanged. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => closed(entry));
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, closed(member)]),
  );
  const isOpenObject =
    copy["type"] === "object" && "properties" in copy && !("additionalProperties" in copy);
  return isOpenObject ? { ...copy, additionalProperties: false } : copy;
}
