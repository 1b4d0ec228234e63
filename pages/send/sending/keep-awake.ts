import type { PageStore } from "../page-view.ts";

/**
 * Keeps the screen on while something is sent, where the browser can (rule G24): a phone whose screen goes off may suspend
 * the page. A browser releases the lock when the page is hidden, so it is asked for again when the page comes back.
 */
export function keepAwakeWhileSending(store: PageStore): void {
  if (!("wakeLock" in navigator)) return;
  let lock: Promise<WakeLockSentinel | null> | null = null;
  const follow = (): void => {
    const isWanted = store.view.sending !== null && document.visibilityState === "visible";
    if (isWanted === (lock !== null)) return;
    // Sending goes on without it, such as when the battery is low.
    if (isWanted) lock = navigator.wakeLock.request("screen").catch(() => null);
    else {
      void lock?.then((held) => held?.release());
      lock = null;
    }
  };
  store.subscribe(follow);
  document.addEventListener("visibilitychange", follow);
}
