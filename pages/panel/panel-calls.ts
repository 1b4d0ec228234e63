import type { PanelPlan, PanelState } from "../../core/protocol/panel-api.ts";
import type { LiveCheckState } from "../../core/protocol/live-report.ts";
import type { PanelCall, PanelParams } from "../../core/protocol/panel-calls.ts";
import type { LinesListener } from "../kit/follow-lines.ts";

/**
 * An importer behind the panel's screens. States and plans have its English sentences, which the panel translates; a
 * rejected call has a sentence in the page's language.
 */
export interface PanelCalls {
  /** True if the importer gives a sound to what it is dragged onto (rule N26). */
  readonly offersDrags: boolean;
  /** Makes a call that changes something. Settles once the importer has accepted it. */
  send<Call extends PanelCall>(
    call: Call,
    ...[params]: object extends PanelParams<Call> ? [] : [params: PanelParams<Call>]
  ): Promise<void>;
  /** Calls the listener with the importer's state, now and after each change, until the signal aborts. */
  follow(listener: LinesListener<PanelState>, signal: AbortSignal): Promise<void>;
  /** Calls the listener with the check of the running Live; only asked while `PanelState.live` isn't null. */
  followLiveCheck(listener: LinesListener<LiveCheckState>, signal: AbortSignal): Promise<void>;
  plan(packageId: string, signal: AbortSignal): Promise<PanelPlan>;
  /** Fetches a sound's file; rejects before the download if it is too large to play. */
  sound(packageId: string, soundId: string, signal: AbortSignal): Promise<Blob>;
}
