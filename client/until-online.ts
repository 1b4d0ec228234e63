/** Resolves when the browser comes online again, never elsewhere; stops listening once the signal aborts. */
export function untilOnline(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const listen: unknown = Reflect.get(globalThis, "addEventListener");
    if (typeof listen !== "function") return;
    listen.call(globalThis, "online", () => resolve(), { once: true, signal });
  });
}
