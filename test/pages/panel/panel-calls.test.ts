import { expect, test } from "vitest";
import { importerRoutes } from "../../../addon/control/importer-routes.ts";
import { PANEL_CALLS } from "../../../core/protocol/panel-calls.ts";

test("[N1] the importer has a route for each call of the panel", () => {
  const routes = importerRoutes({} as never, {} as never);
  const known = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  const calls = Object.values(PANEL_CALLS).map(([method, path]) => `${method} ${path}`);
  expect(calls.filter((call) => !known.has(call))).toEqual([]);
});
