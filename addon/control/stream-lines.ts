import type { Timers } from "../concurrency/timers.ts";
import { beginLines } from "./control-answer.ts";
import { type ControlCall } from "./control-call.ts";

/** Throttles changes. */
const PAUSE_MS = 50;
/** The heartbeat: an unchanged state is sent again, so that the page knows that its server is alive. */
const BEAT_MS = 15_000;

/** A state to stream. */
export interface LineSource {
  /** Called at the moment of sending. */
  readonly read: () => object;
  /** Calls the listener after each change; the returned function unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Called before each heartbeat. */
  readonly onBeat?: () => void;
}

/**
 * Streams a state as NDJSON, now and after each change, until the caller disconnects or the server
 * closes (rules N3 and V1). A slow reader misses states, but never the newest one.
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
