import { VERSION } from "../../core/version.ts";
import type { ImporterCalls } from "../importer.ts";
import type { ImportAllOptions } from "../runs/import-options.ts";
import { answerJson, answerLines } from "./control-answer.ts";
import { isJsonObject } from "../../core/text/json-object.ts";
import {
  type ControlCall,
  ControlError,
  readBody,
  readObject,
  type Route,
} from "./control-call.ts";
import { parseFlag, parseHostChoice, parseImportOptions } from "./import-request.ts";
import { liveCheckRoutes } from "./live-check-routes.ts";
import { pairingRoutes } from "./pairing-routes.ts";
import { type PanelImporter, panelRoutes, type PanelRoutesDeps } from "./panel-routes.ts";

/** The routes for the same user's programs (rule R3) and for the panel (rule N1). */
export function importerRoutes(
  importer: ImporterCalls & PanelImporter,
  deps: PanelRoutesDeps,
): readonly Route[] {
  return [
    ...panelRoutes(importer, deps),
    ...liveCheckRoutes(importer, deps),
    ...pairingRoutes(importer),
    route("GET", "/control/hello", async () => ({ pid: process.pid, version: VERSION })),
    route("GET", "/control/apps", () => importer.apps()),
    route("DELETE", "/control/apps/:pairing_id", async (call) => {
      await importer.unpair(call.parts[0] ?? "");
      return {};
    }),
    route("POST", "/control/device-name", async (call) => {
      const { device_name: name } = await readObject(call);
      if (typeof name !== "string") throw new ControlError(400, "device_name must be a string.");
      return { device_name: await importer.rename(name) };
    }),
    route("GET", "/control/packages", () => importer.packages()),
    route("POST", "/control/dismiss", async (call) => {
      const { source, ...how } = await readObject(call);
      if (typeof source !== "string") throw new ControlError(400, "source must be a string.");
      return parseFlag(how, "undo") ? importer.undoDismiss(source) : importer.dismiss(source);
    }),
    {
      method: "POST",
      path: "/control/import",
      handle: async (call) => {
        const { source, ...how } = await readObject(call);
        if (typeof source !== "string") throw new ControlError(400, "source must be a string.");
        const options = { ...parseImportOptions(how), ...parseHostChoice(how) };
        await answerRun(call, (follow) => importer.import(source, { ...options, ...follow }));
      },
    },
    {
      method: "POST",
      path: "/control/import-all",
      handle: async (call) => {
        const body = await readBody(call);
        const how = isJsonObject(body) ? body : {};
        if (parseFlag(how, "background")) {
          answerJson(call, 202, await importer.beginAll());
          return;
        }
        const choice = parseHostChoice(how);
        await answerRun(call, (follow) => importer.importAll({ ...choice, ...follow }));
      },
    },
  ];
}

function route(method: string, path: string, ask: (call: ControlCall) => Promise<object>): Route {
  return { method, path, handle: async (call) => answerJson(call, 200, await ask(call)) };
}

async function answerRun(
  call: ControlCall,
  work: (follow: ImportAllOptions) => Promise<object>,
): Promise<void> {
  await answerLines(call, async ({ send, signal }) => ({
    outcome: await work({ signal, onProgress: (progress) => send({ progress }) }),
  }));
}
