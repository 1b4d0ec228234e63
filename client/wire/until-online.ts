/** Resolves when the browser comes online again, never elsewhere; stops listening once the signal aborts. */
export function untilOnline(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => listen("online", resolve, signal));
}

/** Calls `act` when the browser goes offline or comes online: connections may be half open now. */
export function onNetworkChange(act: () => void, signal: AbortSignal): void {
  listen("offline", act, signal);
  listen("online", act, signal);
}

/** Node has no such events. */
function listen(type: "online" | "offline", act: () => void, signal: AbortSignal): void {
  const add: unknown = Reflect.get(globalThis, "addEventListener");
  if (typeof add === "function") add.call(globalThis, type, () => act(), { signal });
}
