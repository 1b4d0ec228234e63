import type { ImporterState } from "../state/importer-state.ts";
import type { Timers } from "../concurrency/timers.ts";
import { type ControlCall } from "./control-call.ts";
import { followLines } from "./stream-lines.ts";
import { panelStateOf } from "./panel-state.ts";

/** Whose state is followed. */
export interface FollowedImporter {
  readonly state: ImporterState;
  subscribe(listener: () => void): () => void;
  /** Reads into the state what the host does not tell by itself. */
  lookAtHost(): Promise<void>;
}

export interface StreamStateOptions {
  readonly timers: Timers;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Answers with an importer's state as the panel is told it, now and after each change (rule N3). */
export function followState(
  call: ControlCall,
  importer: FollowedImporter,
  { timers, now }: StreamStateOptions,
): void {
  const lookAtHost = (): void => void importer.lookAtHost();
  followLines(
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
