import { PANEL_CALLS } from "../../core/protocol/panel-calls.ts";
import { withoutPaths } from "../../core/text/sentence-of.ts";
import {
  answerJson,
  answerPage,
  STRETCH_ROUTE,
  answerBytes,
  hangUpSignal,
  jsonRoute,
  type LineSource,
  streamLines,
} from "./control-answer.ts";
import {
  booleanIn,
  type ControlCall,
  ControlError,
  readBody,
  readObject,
  route,
  type Route,
  textIn,
} from "./control-call.ts";
import { dragRoutes } from "./drag-routes.ts";
import { parseImportRequest } from "./import-request.ts";
import { panelPlanOf } from "../../core/panel/panel-plan.ts";
import { panelStateOf } from "./panel-state.ts";
import type { Importer } from "../importer.ts";
import { isPackageId } from "../../core/protocol/package-id.ts";
import type { LiveCheck } from "../runs/live-sync.ts";
import type { ImporterState } from "../state/importer-state.ts";
import type { Timers } from "../timers.ts";

/** The part of an importer that the panel's routes call. */
export type PanelImporter = Pick<
  Importer,
  | "plan"
  | "openSound"
  | "dismiss"
  | "undoDismiss"
  | "reveal"
  | "state"
  | "subscribe"
  | "lookAtHost"
  | "readFoldersAgain"
  | "beginRun"
  | "all"
  | "cancelRun"
  | "setRelay"
  | "answerMoved"
  | "setHostSetting"
  | "soundsFolder"
  | "lan"
  | "clearKeptFiles"
  | "live"
  | "codes"
>;

export interface PanelRoutesDeps extends StreamStateDeps {
  /** Returns the panel's page as HTML; undefined serves no panel. */
  readonly panelPage?: (() => Promise<string>) | undefined;
}

/** Returns the routes that only the panel calls; it also calls some of the programs' routes. */
export function panelRoutes(importer: PanelImporter, deps: PanelRoutesDeps): readonly Route[] {
  return [
    { ...route("GET", "/", (call) => servePage(call, deps)), isOpen: true },
    STRETCH_ROUTE,
    route(...PANEL_CALLS.state, async (call) => streamState(call, importer, deps)),
    ...packageRoutes(importer),
    ...dragRoutes(importer, deps),
    ...liveCheckRoutes(importer, deps),
    route(...PANEL_CALLS.beginRun, async (call) => {
      const { packageId, options } = parseImportRequest(await readBody(call));
      await importer.beginRun(packageId, options);
      answerJson(call, 202, {});
    }),
    jsonRoute(...PANEL_CALLS.cancelRun, ({ parts: [packageId = ""] }) => {
      if (!importer.cancelRun(packageId))
        throw new ControlError(404, "This import has already finished.");
    }),
    jsonRoute(...PANEL_CALLS.stopAll, () => {
      if (!importer.all.stop()) throw new ControlError(404, "This import has already finished.");
    }),
    jsonRoute(...PANEL_CALLS.setRelay, async (call) => {
      const address = textIn(await readObject(call), "address");
      await importer.setRelay(address);
    }),
    jsonRoute(...PANEL_CALLS.answerMoved, async (call) => {
      const body = await readObject(call);
      const answer = {
        isSame: booleanIn(body, "isSame"),
        movedFrom: textIn(body, "movedFrom"),
      };
      await importer.answerMoved(answer);
    }),
    jsonRoute(...PANEL_CALLS.setLan, async (call) => {
      const body = await readObject(call);
      const choice = { isOn: booleanIn(body, "isOn"), keepsOn: booleanIn(body, "keepsOn") };
      const { lan } = importer.state;
      if (lan === null) throw new ControlError(404, "The relay isn't this program's own.");
      if (lan.fixedBecause !== null) throw new ControlError(409, lan.fixedBecause);
      await importer.lan.choose(choice);
    }),
    jsonRoute(...PANEL_CALLS.setHostSetting, async (call) => {
      const [id = ""] = call.parts;
      const value = booleanIn(await readObject(call), "value");
      if (!importer.setHostSetting(id, value))
        throw new ControlError(404, "There is no such setting.");
    }),
    jsonRoute(...PANEL_CALLS.installLiveScript, async () => {
      if (!(await importer.live.install()))
        throw new ControlError(404, "This importer can't install Live's script.");
    }),
    jsonRoute(...PANEL_CALLS.setSoundsFolder, async (call) => {
      const folder = textIn(await readObject(call), "folder");
      return importer.soundsFolder.change(folder);
    }),
    jsonRoute(...PANEL_CALLS.revealSoundsFolder, () => importer.soundsFolder.reveal()),
    jsonRoute(...PANEL_CALLS.clearKeptFiles, () => importer.clearKeptFiles()),
  ];
}

async function servePage(call: ControlCall, { panelPage }: PanelRoutesDeps): Promise<void> {
  if (panelPage === undefined) throw new ControlError(404, "This importer has no panel.");
  answerPage(call, await panelPage(), { canStretch: true });
}

/** Returns the panel's routes about one package, besides its import. */
function packageRoutes(importer: PanelImporter): readonly Route[] {
  return [
    jsonRoute(...PANEL_CALLS.plan, async ({ parts: [packageId = ""] }) =>
      panelPlanOf(await importer.plan(packageId)),
    ),
    route(...PANEL_CALLS.sound, async (call) => {
      const [packageId = "", soundId = ""] = call.parts;
      const sound = await importer.openSound(packageId, soundId, hangUpSignal(call));
      answerBytes(call, { type: "audio/wav", sizeBytes: sound.sizeBytes }, sound.body);
    }),
    jsonRoute(...PANEL_CALLS.dismiss, async (call) => {
      const packageId = packageIdIn(call);
      await importer.dismiss(packageId);
    }),
    jsonRoute(...PANEL_CALLS.undoDismiss, async (call) => {
      const packageId = packageIdIn(call);
      await importer.undoDismiss(packageId);
    }),
    jsonRoute(...PANEL_CALLS.reveal, ({ parts: [packageId = ""] }) => importer.reveal(packageId)),
  ];
}

/** Returns the package's id from the path: a page names packages that the importer offers, never a folder. */
function packageIdIn({ parts: [packageId = ""] }: ControlCall): string {
  if (!isPackageId(packageId)) throw new ControlError(404, "There is no such package.");
  return packageId;
}

/** Returns the routes of “Check this Live” in the panel (rule H21). */
export function liveCheckRoutes(
  importer: { readonly live: { readonly check: LiveCheck } },
  deps: { readonly timers: Timers },
): readonly Route[] {
  return [
    route(...PANEL_CALLS.liveCheck, async (call) =>
      streamLines(call, sourceOf(importer.live.check), deps),
    ),
    route(...PANEL_CALLS.beginLiveCheck, async (call) => {
      if (!importer.live.check.begin()) throw new ControlError(409, "Live can't be checked now.");
      answerJson(call, 202, {});
    }),
    jsonRoute(...PANEL_CALLS.cancelLiveCheck, () => importer.live.check.cancel()),
    jsonRoute(...PANEL_CALLS.answerLiveCheck, async (call) => {
      const [id = ""] = call.parts;
      const { answer } = await readObject(call);
      const isCount = typeof answer === "number" && Number.isInteger(answer) && answer >= 0;
      if (!(isCount || answer === true || answer === null)) {
        throw new ControlError(400, "answer must be a whole number, true or null.");
      }
      if (!importer.live.check.answer(id, answer))
        throw new ControlError(404, "This isn't asked now.");
    }),
  ];
}

function sourceOf(check: LiveCheck): LineSource {
  return {
    read: () => ({
      ...check.state,
      error: check.state.error && withoutPaths(check.state.error),
    }),
    subscribe: (listener) => check.subscribe(listener),
  };
}

interface StreamedImporter {
  readonly state: ImporterState;
  subscribe(listener: () => void): () => void;
  /** Polls the host's readiness and tempo, which it doesn't report. */
  lookAtHost(): Promise<void>;
  /** Reads inbox and sounds folder again: nobody reports what a person puts into the sounds folder. */
  readFoldersAgain(): void;
  /** Watches Live's control surface until the returned function is called. */
  readonly live: { watch(): () => void };
}

interface StreamStateDeps {
  readonly timers: Timers;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Streams an importer's state for the panel (rule N3). */
export function streamState(
  call: ControlCall,
  importer: StreamedImporter,
  { timers, now }: StreamStateDeps,
): void {
  const lookAtHost = (): void => void importer.lookAtHost();
  streamLines(
    call,
    {
      read: () => panelStateOf(importer.state, now()),
      subscribe: (listener) => importer.subscribe(listener),
      onBeat: lookAtHost,
    },
    { timers },
  );
  lookAtHost();
  importer.readFoldersAgain();
  call.response.on("close", importer.live.watch());
}
