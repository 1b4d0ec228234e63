import type { Importer } from "../importer.ts";
import { answerBytes, answerJson, hangUpSignal } from "./control-answer.ts";
import {
  type ControlCall,
  ControlError,
  readBody,
  readObject,
  type Route,
} from "./control-call.ts";
import { followState, type StreamStateOptions } from "./stream-state.ts";
import { parseImportRequest } from "./import-request.ts";
import { answerPage } from "./answer-page.ts";
import { panelPlanOf } from "./panel-plan.ts";

/** What the panel asks of an importer. */
export type PanelImporter = Pick<
  Importer,
  | "state"
  | "subscribe"
  | "lookAtHost"
  | "plan"
  | "openSound"
  | "beginRun"
  | "cancelRun"
  | "setRelay"
  | "setCorrectsTempo"
  | "clearKeptFiles"
>;

export interface PanelOptions extends StreamStateOptions {
  /** Gives the panel's page as one HTML text; an importer without it has no panel to show. */
  readonly panelPage?: (() => Promise<string>) | undefined;
}

/** What only the panel asks of a running importer, as a list; it uses some of a program's routes, too. */
export function panelRoutes(importer: PanelImporter, options: PanelOptions): readonly Route[] {
  return [
    { ...route("GET", "/", (call) => givePage(call, options)), isOpen: true },
    route("GET", "/control/state", async (call) => followState(call, importer, options)),
    route("GET", "/control/packages/:package_id/plan", async (call) => {
      const [packageId = ""] = call.parts;
      answerJson(call, 200, panelPlanOf(await importer.plan(packageId)));
    }),
    route("GET", "/control/packages/:package_id/sounds/:sound_id", async (call) => {
      const [packageId = "", soundId = ""] = call.parts;
      const sound = await importer.openSound(packageId, soundId, hangUpSignal(call));
      answerBytes(call, { type: "audio/wav", sizeBytes: sound.sizeBytes }, sound.body);
    }),
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
    route("PUT", "/control/correct-tempo", async (call) => {
      const { on } = await readObject(call);
      if (typeof on !== "boolean") throw new ControlError(400, "on must be true or false.");
      importer.setCorrectsTempo(on);
      answerJson(call, 200, {});
    }),
    route("DELETE", "/control/kept-files", async (call) => {
      await importer.clearKeptFiles();
      answerJson(call, 200, {});
    }),
  ];
}

function route(method: string, path: string, handle: Route["handle"]): Route {
  return { method, path, handle };
}

async function givePage(call: ControlCall, { panelPage }: PanelOptions): Promise<void> {
  if (panelPage === undefined) throw new ControlError(404, "This importer has no panel.");
  answerPage(call, await panelPage());
}
