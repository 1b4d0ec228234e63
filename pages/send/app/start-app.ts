import { SHARE_PATH } from "../../../core/protocol/share-path.ts";
import { takeShared } from "./shared-files.ts";

const WORKER = "app-worker.js";

/**
 * Starts the page's service worker once the page has loaded, where the relay serves it as an app and the browser calls the
 * connection secure (rule G22). On http in a local network there is none.
 */
export function startAppWorker(): void {
  if (!isApp()) return;
  addEventListener("load", () => {
    // The page works without it, such as in a private window.
    navigator.serviceWorker.register(WORKER).catch(() => {});
  });
}

function isApp(): boolean {
  const isServed = document.querySelector('link[rel="manifest"]') !== null;
  return isServed && isSecureContext && "serviceWorker" in navigator;
}

interface ShareDeps {
  /** Adds files to the new package, and resolves once they are in its draft. */
  readonly add: (files: readonly File[]) => Promise<void>;
  /** Says that what was shared got lost. */
  readonly onLost: () => void;
}

/** Adds what another app shared (rule G23). */
export async function addShared({ add, onLost }: ShareDeps): Promise<void> {
  if (new URLSearchParams(location.search).has(SHARE_PATH)) {
    history.replaceState(null, "", location.pathname);
    onLost();
  }
  // Nothing was ever shared with a page that no worker controls.
  if (isApp() && navigator.serviceWorker.controller !== null) await takeShared(add);
}
