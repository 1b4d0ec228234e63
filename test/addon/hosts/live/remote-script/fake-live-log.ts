import type { FakeCallback, FakeFault, FakeLog } from "./fake-live.ts";

/** Returns the names of the violations, each once, in the order in which they happened. */
export function violationsIn({ faults }: { readonly faults: readonly FakeFault[] }): string[] {
  return namesOf(faults.filter(({ kind }) => kind === "violation"));
}

/** Returns the names of the refusals, each once. */
export function refusalsIn({ faults }: { readonly faults: readonly FakeFault[] }): string[] {
  return namesOf(faults.filter(({ kind }) => kind === "refusal"));
}

function namesOf(faults: readonly FakeFault[]): string[] {
  return [...new Set(faults.map(({ name }) => name))];
}

/** Returns the callbacks from the first that changed the Set to the last. */
export function placingCallbacks({ calls, callbacks }: FakeLog): readonly FakeCallback[] {
  const changing = calls.filter(({ changes }) => changes).map(({ callback }) => callback);
  const [first, last] = [Math.min(...changing), Math.max(...changing)];
  return callbacks.filter(({ number }) => number >= first && number <= last);
}

/** Returns the longest time of a callback in milliseconds, without the fake's own. */
export function longestOfScript(callbacks: readonly FakeCallback[]): number {
  return Math.max(...callbacks.map(({ wallMs, ownMs }) => wallMs - ownMs));
}

/** Leaves out calls of the same name but for the first and the last ones: a script that waits reads the same again. */
export function withoutRepeated(
  calls: ReturnType<typeof numberCalls>,
  { first, last }: { readonly first: number; readonly last: number },
): ReturnType<typeof numberCalls> {
  const counts = new Map(calls.map(({ call, nth }) => [call, nth]));
  return calls.filter(({ call, nth }) => nth <= first || nth > (counts.get(call) ?? 0) - last);
}

/** Gives each call its number among the calls of its name, from 1. */
export function numberCalls(
  calls: FakeLog["calls"],
): readonly { readonly call: string; readonly nth: number }[] {
  const counts = new Map<string, number>();
  return calls.map(({ call }) => {
    const nth = (counts.get(call) ?? 0) + 1;
    counts.set(call, nth);
    return { call, nth };
  });
}
