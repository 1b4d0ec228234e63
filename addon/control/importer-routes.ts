import { PANEL_CALLS } from "../../core/protocol/panel-calls.ts";
import { isJsonObject } from "../../core/text/json-object.ts";
import { VERSION } from "../../core/version.ts";
import { answerJson, answerLines, jsonRoute } from "./control-answer.ts";
import {
  booleanIn,
  type ControlCall,
  ControlError,
  readBody,
  readObject,
  type Route,
  route,
  textIn,
} from "./control-call.ts";
import { parseFlag, parseHostChoice, parseImportOptions, parseTemplate } from "./import-request.ts";
import { type PanelImporter, panelRoutes, type PanelRoutesDeps } from "./panel-routes.ts";
import type { Importer, ImporterCalls } from "../importer.ts";
import type { ImportAllOptions } from "../runs/importer-calls.ts";

/** Returns the routes for the same user's programs (rule R3) and for the panel (rule N1). */
export function importerRoutes(
  importer: ImporterCalls & PanelImporter,
  deps: PanelRoutesDeps,
): readonly Route[] {
  return [
    ...panelRoutes(importer, deps),
    ...pairingRoutes(importer),
    jsonRoute("GET", "/control/hello", () => ({ pid: process.pid, version: VERSION })),
    jsonRoute("GET", "/control/apps", () => importer.apps()),
    jsonRoute(...PANEL_CALLS.unpair, ({ parts: [pairingId = ""] }) => importer.unpair(pairingId)),
    jsonRoute(...PANEL_CALLS.rename, async (call) => {
      const name = textIn(await readObject(call), "device_name");
      return { device_name: await importer.rename(name) };
    }),
    jsonRoute("GET", "/control/packages", () => importer.packages()),
    jsonRoute("POST", "/control/dismiss", async (call) => {
      const body = await readObject(call);
      const source = textIn(body, "source");
      return parseFlag(body, "undo") ? importer.undoDismiss(source) : importer.dismiss(source);
    }),
    route("POST", "/control/import", async (call) => {
      const body = await readObject(call);
      const source = textIn(body, "source");
      const options = {
        ...parseImportOptions(body),
        ...parseHostChoice(body),
        ...parseTemplate(body),
      };
      await answerRun(call, (follow) => importer.import(source, { ...options, ...follow }));
    }),
    route(...PANEL_CALLS.importAll, async (call) => {
      const body = await readBody(call);
      const how = isJsonObject(body) ? body : {};
      if (parseFlag(how, "background")) {
        answerJson(call, 202, await importer.all.begin());
        return;
      }
      const choice = parseHostChoice(how);
      await answerRun(call, (follow) => importer.importAll({ ...choice, ...follow }));
    }),
  ];
}

async function answerRun(
  call: ControlCall,
  work: (follow: ImportAllOptions) => Promise<object>,
): Promise<void> {
  await answerLines(call, async ({ send, signal }) => ({
    outcome: await work({ signal, onProgress: (progress) => send({ progress }) }),
  }));
}

/**
 * Returns the routes of the pairing code (rule P2), and of the app that waits for approval (rule P12). A page opens its
 * pairing step, reports whether it is visible, and closes it. A program asks for a code that is kept.
 */
function pairingRoutes(
  importer: Pick<Importer, "codes"> &
    Pick<ImporterCalls, "pairingCode" | "pairingRequest" | "answerPairing">,
): readonly Route[] {
  return [
    jsonRoute(...PANEL_CALLS.openCode, async (call) => {
      const body = await readBody(call);
      const { keep, fresh } = isJsonObject(body) ? body : {};
      return keep === true
        ? importer.pairingCode()
        : importer.codes.open({ isFresh: fresh === true });
    }),
    jsonRoute(...PANEL_CALLS.keepCode, async (call) => {
      const isVisible = booleanIn(await readObject(call), "visible");
      importer.codes.see(isVisible);
    }),
    jsonRoute(...PANEL_CALLS.closeCode, () => importer.codes.hide()),
    jsonRoute("GET", "/control/pairing-request", () => importer.pairingRequest()),
    jsonRoute(...PANEL_CALLS.answerPairing, async (call) => {
      const { request_id, answer } = await readObject(call);
      if (typeof request_id !== "string" || (answer !== "allow" && answer !== "deny")) {
        throw new ControlError(400, "request_id and answer, allow or deny, are required.");
      }
      await importer.answerPairing({ request_id, answer });
    }),
  ];
}
