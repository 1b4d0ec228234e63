import type { ContractDocument } from "../../../../relay/http/contract/openapi/document.ts";
import { contractOf } from "../../../../relay/http/calls/contract-calls.ts";
import { ROUTES } from "../../../../relay/http/routes.ts";

/** Refusals that no operation lists, and why. */
export const UNLISTED = {
  METHOD_WRONG: "No operation has the method; the introduction has it.",
  MORE_PROBLEMS: "Never the code of an answer: the last of its `problems`.",
} as const;

/** The codes of one operation, and how to recognize a call of it. */
interface Promised {
  readonly id: string;
  readonly method: string;
  readonly path: RegExp;
  readonly codes: ReadonlySet<string>;
}

/** Returns the codes that each operation of a contract lists, by status. */
export function promisedBy({ paths }: ContractDocument): Promised[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId: id, responses }]) => ({
      id,
      method: method.toUpperCase(),
      path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
      codes: new Set(
        Object.entries(responses).flatMap(([status, { content }]) =>
          Object.keys(content?.["application/json"]?.examples ?? {}).map(
            (code) => `${status} ${code}`,
          ),
        ),
      ),
    })),
  );
}

let promised: readonly Promised[] | undefined;

/**
 * Requires that the contract lists a refusal that a relay gave. A call of no operation passes.
 * @throws {Error} if it doesn't
 */
export function requirePromised(
  { method, path }: { readonly method: string; readonly path: string },
  { status, code }: { readonly status: number; readonly code: unknown },
): void {
  if (status < 400 || typeof code !== "string" || Object.hasOwn(UNLISTED, code)) return;
  promised ??= promisedBy(contractOf(ROUTES));
  const [bare = ""] = path.split("?");
  const called = promised.find((one) => one.method === method && one.path.test(bare));
  if (called === undefined || called.codes.has(`${status} ${code}`)) return;
  throw new Error(`The contract of ${called.id} lists no ${status} ${code}.`);
}
