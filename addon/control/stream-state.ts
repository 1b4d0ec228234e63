import type { ImporterState } from "../state/importer-state.ts";
import type { Timers } from "../concurrency/timers.ts";
import { type ControlCall } from "./control-call.ts";
import { streamLines } from "./stream-lines.ts";
import { panelStateOf } from "./panel-state.ts";

export interface StreamedImporter {
  readonly state: ImporterState;
  subscribe(listener: () => void): () => void;
  /** Polls what the host doesn't report. */
  lookAtHost(): Promise<void>;
  /** Watches Live's control surface until the returned function is called. */
  readonly live: { watch(): () => void };
}

export interface StreamStateDeps {
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
  call.response.on("close", importer.live.watch());
}
