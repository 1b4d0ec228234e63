import type { ServerResponse } from "node:http";
import {
  answerPage,
  answerBytes,
  answerJson,
  beginLines,
  hangUpSignal,
  STRETCH_ROUTE,
} from "../../addon/control/control-answer.ts";
import {
  type ControlCall,
  ControlError,
  readBody,
  type Route,
} from "../../addon/control/control-call.ts";
import { type ControlServer, serveControl } from "../../addon/control/control-server.ts";
import { liveCheckRoutes } from "../../addon/control/panel-routes.ts";
import { REAL_TIMERS } from "../../addon/timers.ts";
import { LiveCheck } from "../../addon/runs/live-sync.ts";
import type { LiveChecker } from "../../addon/hosts/live-setup.ts";
import { askInPanel } from "../../addon/extension/panel-dialog.ts";
import type { LiveUi } from "../../addon/hosts/live/sdk/live-api.ts";
import type { PanelStart, PanelState } from "../../core/protocol/panel-api.ts";
import { buildPanelPage } from "../build-pages.ts";
import { PANEL_CALLS } from "../../core/protocol/panel-calls.ts";
import type { CannedPackage } from "./canned-package.ts";

/** A call of the page that would change something. */
export interface CannedCall {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** The calls that are only recorded: all that change something, except those of the check of Live. */
const CHANGES = Object.values(PANEL_CALLS).filter(
  ([method, path]) => method !== "GET" && !path.startsWith("/control/live/check"),
);

/** Serves the panel like an importer, with the same guard, but shows given states and only records calls. */
export class CannedImporter implements AsyncDisposable {
  readonly secret = "canned-secret";
  readonly calls: CannedCall[] = [];
  /** The refusals to answer calls with, by path. */
  readonly refusals = new Map<string, string>();
  readonly #packages: ReadonlyMap<string, CannedPackage>;
  /** Plays a check of Live that gets no answer. */
  checkLive: LiveChecker = () => Promise.reject(new Error("Live doesn’t answer."));
  readonly #check = new LiveCheck(
    (talk) => this.checkLive(talk),
    (work) => work(),
  );
  readonly #pages = new Set<ServerResponse>();
  #state: PanelState;
  #server: ControlServer | undefined;

  private constructor(state: PanelState, packages: readonly CannedPackage[]) {
    this.#state = state;
    this.#packages = new Map(packages.map((one) => [one.offered.packageId, one]));
  }

  static async start(
    state: PanelState,
    packages: readonly CannedPackage[] = [],
  ): Promise<CannedImporter> {
    const importer = new CannedImporter(state, packages);
    await importer.#listen(0);
    return importer;
  }

  get address(): string {
    return `http://127.0.0.1:${this.#server?.port}`;
  }

  /** The panel's address, with its secret. */
  get panelUrl(): string {
    return `${this.address}/#${this.secret}`;
  }

  /** The address that Live would open in its dialog for this importer. */
  async dialogUrl(more: Partial<PanelStart> = {}): Promise<string> {
    const start = { address: this.address, secret: this.secret, isDialog: true, ...more };
    let shown = "";
    const showModalDialog = async (url: string): Promise<string> => {
      shown = url;
      return "";
    };
    await askInPanel({ showModalDialog } as unknown as LiveUi, await buildPanelPage(), start);
    return shown;
  }

  get state(): PanelState {
    return this.#state;
  }

  /** Changes the state and notifies every page. */
  change(change: Partial<PanelState>): void {
    this.#state = { ...this.#state, ...change };
    for (const page of this.#pages) this.#send(page);
  }

  /** Stops listening, as a stopped importer does. Returns a function that restarts it on the same port. */
  async stop(): Promise<() => Promise<void>> {
    const { port = 0 } = this.#server ?? {};
    await this[Symbol.asyncDispose]();
    return () => this.#listen(port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.close();
    this.#server = undefined;
  }

  async #listen(port: number): Promise<void> {
    this.#server = await serveControl(this.#routes(), { port, secret: this.secret });
  }

  #routes(): readonly Route[] {
    const page: Route = {
      method: "GET",
      path: "/",
      isOpen: true,
      handle: async (call) => answerPage(call, await buildPanelPage(), { canStretch: true }),
    };
    const state: Route = {
      method: "GET",
      path: "/control/state",
      handle: async (call) => this.#follow(call),
    };
    const plan: Route = {
      method: "GET",
      path: "/control/packages/:package_id/plan",
      handle: async (call) => answerJson(call, 200, this.#packageOf(call).plan),
    };
    const sound: Route = {
      method: "GET",
      path: "/control/packages/:package_id/sounds/:sound_id",
      handle: (call) => this.#giveSound(call),
    };
    const changes = CHANGES.map(([method, path]): Route => {
      return { method, path, handle: (call) => this.#note(call) };
    });
    const live = { check: this.#check };
    const check = liveCheckRoutes({ live }, { timers: REAL_TIMERS });
    return [page, STRETCH_ROUTE, state, plan, sound, ...changes, ...check];
  }

  #follow(call: ControlCall): void {
    const { response } = call;
    beginLines(call);
    this.#pages.add(response);
    response.on("close", () => this.#pages.delete(response));
    this.#send(response);
  }

  #send(page: ServerResponse): void {
    page.write(`${JSON.stringify(this.#state)}\n`);
  }

  #packageOf({ parts: [packageId = ""] }: ControlCall): CannedPackage {
    const found = this.#packages.get(packageId);
    if (found === undefined) throw new ControlError(404, "This package is gone.");
    return found;
  }

  async #giveSound(call: ControlCall): Promise<void> {
    const { source } = this.#packageOf(call);
    const sound = source.manifest.items.find(({ id }) => id === call.parts[1]);
    if (sound === undefined) throw new ControlError(404, "This sound is gone.");
    const signal = hangUpSignal(call);
    const { body, fileBytes } = await source.open(sound, { startByte: 0, signal });
    answerBytes(call, { type: "audio/wav", sizeBytes: fileBytes }, body);
  }

  async #note(call: ControlCall): Promise<void> {
    const { method = "", url: path = "" } = call.request;
    this.calls.push({ method, path, body: await readBody(call) });
    const refusal = this.refusals.get(path);
    if (refusal !== undefined) throw new ControlError(409, refusal);
    answerJson(call, 200, {});
  }
}
