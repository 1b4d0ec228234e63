import type { Timers } from "../concurrency/timers.ts";
import { beginLines } from "./control-answer.ts";
import { type ControlCall } from "./control-call.ts";

/** Changes that follow each other faster are told together. */
const PAUSE_MS = 50;
/** After so long without a change the state is told once more: the page knows that its server lives. */
const BEAT_MS = 15_000;

/** A state that pages follow. */
export interface LineSource {
  /** Gives what is told, at the moment when it is told. */
  readonly read: () => object;
  /** Calls the listener after each change; gives the function that ends it. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Called before what nothing changed for a while is told once more. */
  readonly onBeat?: () => void;
}

/**
 * Answers with a state now and after each change, a line of JSON each, until the caller hangs up or the
 * server closes (rules N3 and V1). A slow reader misses states, never the newest one.
 */
export function followLines(
  call: ControlCall,
  { read, subscribe, onBeat }: LineSource,
  { timers }: { readonly timers: Timers },
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
    response.write(`${JSON.stringify(read())}\n`);
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
    onBeat?.();
    tell();
  };

  beginLines(call);
  tell();
  const unsubscribe = subscribe(tell);
  response.on("drain", tellIfChanged);
  response.on("close", () => {
    unsubscribe();
    endPause?.();
    endBeat?.();
  });
}
