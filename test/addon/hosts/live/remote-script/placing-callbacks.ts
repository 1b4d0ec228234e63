import type { FakeCallback, FakeLog } from "./fake-live.ts";

/** The callbacks from the first that changed the Set to the last. */
export function placingCallbacks({ calls, callbacks }: FakeLog): readonly FakeCallback[] {
  const changing = calls.filter(({ changes }) => changes).map(({ callback }) => callback);
  const [first, last] = [Math.min(...changing), Math.max(...changing)];
  return callbacks.filter(({ number }) => number >= first && number <= last);
}

/** The longest time that a callback took beside the fake's own, in milliseconds. */
export function longestOfScript(callbacks: readonly FakeCallback[]): number {
  return Math.max(...callbacks.map(({ wallMs, ownMs }) => wallMs - ownMs));
}
