import { VERSION } from "../version.ts";

/** Path of the page that makes a browser a computer, on a relay. */
export const RECEIVE_PATH = "/receive";

/** Path of the script of the page's Workers. It has the version in it, because it never changes. */
export const RECEIVE_WORKER_PATH = `/receive-${VERSION}/worker.js`;
