import type { Importer } from "../importer.ts";
import { answerJson } from "./control-answer.ts";
import {
  type ControlCall,
  ControlError,
  readBody,
  readObject,
  route,
  type Route,
} from "./control-call.ts";
import { streamState, type StreamStateDeps } from "./stream-state.ts";
import { parseImportRequest } from "./import-request.ts";
import { answerPage } from "./answer-page.ts";
import { STRETCH_ROUTE } from "./stretch-route.ts";
import { type PackageImporter, packageRoutes } from "./package-routes.ts";

export type PanelImporter = PackageImporter &
  Pick<
    Importer,
    | "state"
    | "subscribe"
    | "lookAtHost"
    | "beginRun"
    | "beginAll"
    | "cancelRun"
    | "setRelay"
    | "answerMoved"
    | "setHostSetting"
    | "clearKeptFiles"
    | "live"
    | "codes"
  >;

export interface PanelRoutesDeps extends StreamStateDeps {
  /** Returns the panel's page as HTML; undefined serves no panel. */
  readonly panelPage?: (() => Promise<string>) | undefined;
}

/** The routes that only the panel calls; it also calls some of those for programs. */
export function panelRoutes(importer: PanelImporter, deps: PanelRoutesDeps): readonly Route[] {
  return [
    { ...route("GET", "/", (call) => servePage(call, deps)), isOpen: true },
    STRETCH_ROUTE,
    route("GET", "/control/state", async (call) => streamState(call, importer, deps)),
    ...packageRoutes(importer),
    route("POST", "/control/runs", async (call) => {
      const { packageId, options } = parseImportRequest(await readBody(call));
      await importer.beginRun(packageId, options);
      answerJson(call, 202, {});
    }),
    route("DELETE", "/control/runs/:package_id", async (call) => {
      const [packageId = ""] = call.parts;
      if (!importer.cancelRun(packageId))
        throw new ControlError(404, "This import has already finished.");
      answerJson(call, 200, {});
    }),
    route("PUT", "/control/relay", async (call) => {
      const { address } = await readObject(call);
      if (typeof address !== "string") throw new ControlError(400, "address must be a string.");
      await importer.setRelay(address);
      answerJson(call, 200, {});
    }),
    route("PUT", "/control/relay/moved", async (call) => {
      const { isSame, movedFrom } = await readObject(call);
      if (typeof isSame !== "boolean") throw new ControlError(400, "isSame must be true or false.");
      if (typeof movedFrom !== "string") throw new ControlError(400, "movedFrom must be a string.");
      await importer.answerMoved({ isSame, movedFrom });
      answerJson(call, 200, {});
    }),
    route("PUT", "/control/host-settings/:setting_id", async (call) => {
      const [id = ""] = call.parts;
      const { value } = await readObject(call);
      if (typeof value !== "boolean") throw new ControlError(400, "value must be true or false.");
      if (!importer.setHostSetting(id, value))
        throw new ControlError(404, "There is no such setting.");
      answerJson(call, 200, {});
    }),
    route("POST", "/control/live/script", async (call) => {
      if (!(await importer.live.install()))
        throw new ControlError(404, "This importer can't install Live's script.");
      answerJson(call, 200, {});
    }),
    route("DELETE", "/control/kept-files", async (call) => {
      await importer.clearKeptFiles();
      answerJson(call, 200, {});
    }),
  ];
}

async function servePage(call: ControlCall, { panelPage }: PanelRoutesDeps): Promise<void> {
  if (panelPage === undefined) throw new ControlError(404, "This importer has no panel.");
  answerPage(call, await panelPage(), { canStretch: true });
}
