import type { Timers } from "../concurrency/timers.ts";
import { beginLines } from "./control-answer.ts";
import { type ControlCall } from "./control-call.ts";

/** Changes that follow each other faster are sent together. */
const PAUSE_MS = 50;
/** After this long without a change the state is sent again, so that the page knows that its server lives. */
const BEAT_MS = 15_000;

/** A state that pages follow. */
export interface LineSource {
  /** Called at the moment when its answer is sent. */
  readonly read: () => object;
  /** Calls the listener after each change; gives the function that ends it. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Called before a state that did not change for a while is sent again. */
  readonly onBeat?: () => void;
}

/**
 * Answers with a state now and after each change, a line of JSON each, until the caller hangs up or the
 * server closes (rules N3 and V1). A slow reader misses states, never the newest one.
 */
export function streamLines(
  call: ControlCall,
  { read, subscribe, onBeat }: LineSource,
  { timers }: { readonly timers: Timers },
): void {
  const { response } = call;
  let isPausing = false;
  let isChanged = false;
  let endPause: (() => void) | undefined;
  let endBeat: (() => void) | undefined;

  const send = (): void => {
    isChanged = true;
    if (isPausing || response.writableNeedDrain) return;
    isChanged = false;
    response.write(`${JSON.stringify(read())}\n`);
    isPausing = true;
    endPause = timers.after(PAUSE_MS, () => {
      isPausing = false;
      sendIfChanged();
    });
    endBeat?.();
    endBeat = timers.after(BEAT_MS, beat);
  };
  const sendIfChanged = (): void => {
    if (isChanged) send();
  };
  const beat = (): void => {
    onBeat?.();
    send();
  };

  beginLines(call);
  send();
  const unsubscribe = subscribe(send);
  response.on("drain", sendIfChanged);
  response.on("close", () => {
    unsubscribe();
    endPause?.();
    endBeat?.();
  });
}
