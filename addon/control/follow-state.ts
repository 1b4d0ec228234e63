import type { ImporterState } from "../importer-state.ts";
import type { Timers } from "../timers.ts";
import { beginLines } from "./control-answer.ts";
import { type ControlCall } from "./control-call.ts";
import { panelStateOf } from "./panel-state.ts";

/** Changes that follow each other faster are told together. */
const PAUSE_MS = 50;
/** After so long without a change the state is told once more: the page knows that the importer lives. */
const BEAT_MS = 15_000;

/** Whose state is followed. */
export interface FollowedImporter {
  readonly state: ImporterState;
  subscribe(listener: () => void): () => void;
  /** Reads into the state what the host does not tell by itself. */
  lookAtHost(): Promise<void>;
}

export interface FollowTerms {
  readonly timers: Timers;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Answers with the state now and after each change, a line each, until the caller hangs up or the server
 * closes (rule N3). A slow reader misses states, never the newest one.
 */
export function followState(
  call: ControlCall,
  importer: FollowedImporter,
  { timers, now }: FollowTerms,
): void {
  const { response } = call;
  let isPausing = false;
  let isChanged = false;
  let endPause: (() => void) | undefined;
  let endBeat: (() => void) | undefined;

  const tell = (): void => {
    isChanged = true;
    if (isPausing || response.writableNeedDrain) return;
    isChanged = false;
    response.write(`${JSON.stringify(panelStateOf(importer.state, now()))}\n`);
    isPausing = true;
    endPause = timers.after(PAUSE_MS, () => {
      isPausing = false;
      tellIfChanged();
    });
    endBeat?.();
    endBeat = timers.after(BEAT_MS, beat);
  };
  const tellIfChanged = (): void => {
    if (isChanged) tell();
  };
  const beat = (): void => {
    void importer.lookAtHost();
    tell();
  };

  beginLines(call);
  tell();
  const unsubscribe = importer.subscribe(tell);
  response.on("drain", tellIfChanged);
  response.on("close", () => {
    unsubscribe();
    endPause?.();
    endBeat?.();
  });
  void importer.lookAtHost();
}
