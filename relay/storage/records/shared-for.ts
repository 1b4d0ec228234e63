/** One call at a time, whose outcome later calls share for a while after it has ended. */
export function sharedFor(ms: number, act: () => Promise<void>): () => Promise<void> {
  let shared: Promise<void> | undefined;
  return () => {
    shared ??= act().finally(() => setTimeout(() => (shared = undefined), ms).unref());
    return shared;
  };
}
