import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { REFUSALS } from "../../../core/protocol/refusals.ts";
import { refusedBy } from "./sample-manifest.ts";

const ROOT = join(import.meta.dirname, "../../..");
const FOLDER = join(ROOT, "fixtures/refused/manifest");

interface Case {
  readonly code: string;
  readonly error: string;
  readonly manifest?: unknown;
  /** A body that isn't JSON, instead of a manifest. */
  readonly body?: string;
}

const cases = readdirSync(FOLDER).map((name): [string, Case] => [
  name.replace(".json", ""),
  JSON.parse(readFileSync(join(FOLDER, name), "utf8")),
]);

/** The codes that the table of refusals lists as the manifest's; two of them are about a header. */
function manifestCodes(): string[] {
  const table = readFileSync(join(ROOT, "core/protocol/refusals.ts"), "utf8");
  const section = /\/\/ the manifest\n([^]*?)\n\n/.exec(table)?.[1] ?? "";
  const codes = [...section.matchAll(/^ {2}(\w+): \{/gm)].map(([, code = ""]) => code);
  return codes.filter((code) => !code.startsWith("IDEMPOTENCY_KEY_"));
}

describe("fixtures/refused/manifest", () => {
  test("[M1][M2][M3] every refusal of a manifest has a case", () => {
    const tested = new Set(cases.map(([, { code }]) => code));
    expect([...tested].sort()).toEqual([...manifestCodes(), "NOT_JSON"].sort());
  });

  test.each(cases.filter(([, { body }]) => body === undefined))(
    "[M1][M2][M3] refuses %s with its exact code and sentence",
    (_, { code, error, manifest }) => {
      const refused = refusedBy(manifest);
      expect({ code: refused.code, error: refused.message }).toEqual({ code, error });
      expect(refused.status).toBe(422);
      expect(refused.message.length).toBeLessThanOrEqual(80);
    },
  );

  test.each(cases.filter(([, { body }]) => body !== undefined))(
    "[M1] refuses %s as invalid JSON with its sentence",
    (_, { code, error, body = "" }) => {
      expect(() => JSON.parse(body)).toThrow(SyntaxError);
      expect({ code, error }).toEqual({ code: "NOT_JSON", error: REFUSALS.NOT_JSON.sentence });
    },
  );
});
