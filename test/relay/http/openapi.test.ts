import * as appSchemas from "../../../core/protocol/schemas/app-schemas.ts";
import * as importerSchemas from "../../../core/protocol/schemas/importer-schemas.ts";
import { NAMED_SCHEMAS } from "../../../relay/http/contract/openapi/components.ts";
import { expect, test } from "vitest";
import { ROUTES } from "../../../relay/http/routes.ts";
import { RunningRelay } from "../running-relay.ts";

test("[O1] the contract is OpenAPI 3.1 with every route of the relay, once and with its own name", async () => {
  await using relay = await RunningRelay.start();
  const { status, json, headers } = await relay.call("GET", "/openapi.json");
  expect([status, json.openapi]).toEqual([200, "3.1.1"]);
  expect(headers.get("access-control-allow-origin")).toBe("*");
  const described = Object.entries<Record<string, { operationId: string }>>(json.paths).flatMap(
    ([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const served = ROUTES.map(
    ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`,
  );
  expect(described.sort()).toEqual([...served, "GET /importer/socket"].sort());
  const ids = ROUTES.map(({ operation }) => operation.id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("the contract names the body of every request and answer", () => {
  const named = new Set<unknown>(Object.values(NAMED_SCHEMAS));
  const bodies = Object.entries({ ...appSchemas, ...importerSchemas }).filter(([name]) =>
    /_(?:ANSWER|REQUEST)$/.test(name),
  );
  expect(bodies.length).toBeGreaterThan(15);
  expect(bodies.filter(([, schema]) => !named.has(schema)).map(([name]) => name)).toEqual([]);
});
