import type { ImporterState } from "../state/importer-state.ts";
import type { Timers } from "../concurrency/timers.ts";
import { type ControlCall } from "./control-call.ts";
import { streamLines } from "./stream-lines.ts";
import { panelStateOf } from "./panel-state.ts";

/** An importer whose state is streamed. */
export interface StreamedImporter {
  readonly state: ImporterState;
  subscribe(listener: () => void): () => void;
  /** Reads into the state what the host does not report on its own. */
  lookAtHost(): Promise<void>;
}

export interface StreamStateDeps {
  readonly timers: Timers;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Answers with an importer's state as the panel gets it, now and after each change (rule N3). */
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
}
