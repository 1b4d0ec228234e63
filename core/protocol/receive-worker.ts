import { VERSION } from "../version.ts";

/** The address of the script of the Worker that downloads for the page at `/receive`; its content never changes. */
export const RECEIVE_WORKER_PATH = `/receive-${VERSION}/worker.js`;

/** The Worker's own policy: it asks its server, and compiles the hash. */
export const RECEIVE_WORKER_POLICY =
  "default-src 'none'; script-src 'wasm-unsafe-eval'; connect-src 'self'";
