import { PANEL_CALLS, type PanelCall, type PanelParams } from "../../core/protocol/panel-calls.ts";
import type { LiveCheckState } from "../../core/protocol/live-report.ts";
import type { PanelPlan, PanelStart, PanelState } from "../../core/protocol/panel-api.ts";
import { followLines, type LinesListener } from "../kit/follow-lines.ts";
import { SecretCalls } from "../kit/secret-calls.ts";
import type { PanelCalls } from "./panel-calls.ts";
import { ownWords } from "./text/own-words.ts";

/** Calls to an importer on this computer over HTTP, as `PANEL_CALLS` lists them (rule N1). */
export class ControlCalls implements PanelCalls {
  readonly offersDrags = true;
  readonly #calls: SecretCalls;

  constructor({ address, secret }: Pick<PanelStart, "address" | "secret">) {
    this.#calls = new SecretCalls({ address, secret, serverName: "Soundferry", explain: ownWords });
  }

  /** Makes a call that changes something. @throws {SecretCallError} */
  async send<Call extends PanelCall>(
    call: Call,
    ...[params]: object extends PanelParams<Call> ? [] : [params: PanelParams<Call>]
  ): Promise<void> {
    const [method, path] = PANEL_CALLS[call];
    await this.#calls.call(method, path, { params: { ...params } });
  }

  follow(listener: LinesListener<PanelState>, signal: AbortSignal): Promise<void> {
    return this.#lines("state", listener, signal);
  }

  followLiveCheck(listener: LinesListener<LiveCheckState>, signal: AbortSignal): Promise<void> {
    return this.#lines("liveCheck", listener, signal);
  }

  async plan(packageId: string, signal: AbortSignal): Promise<PanelPlan> {
    const [method, path] = PANEL_CALLS.plan;
    const params = { package_id: packageId };
    const answer = await this.#calls.call(method, path, { params, signal });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this page's own importer gave it
    return (await answer.json()) as PanelPlan;
  }

  /** Fetches a sound's file; rejects before the download if it is too large to play. */
  sound(packageId: string, soundId: string, signal: AbortSignal): Promise<Blob> {
    const params = { package_id: packageId, sound_id: soundId };
    return this.#calls.sound(PANEL_CALLS.sound[1], params, signal);
  }

  #lines<State>(
    call: "state" | "liveCheck",
    listener: LinesListener<State>,
    signal: AbortSignal,
  ): Promise<void> {
    const open = (connection: AbortSignal) => this.#calls.lines(PANEL_CALLS[call][1], connection);
    return followLines(open, listener, signal);
  }
}
