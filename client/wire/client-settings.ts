import type { Sha256 } from "../send/hash-in-pieces.ts";
import { type Sleep, sleepOnClock } from "./retry.ts";
import type { TokenStore } from "../pairing/token-store.ts";
import type { UploadTransport } from "./upload-transport.ts";

/** The app that pairs. */
export interface AppIdentity {
  /** Shown to the user beside the pairing; at most 40 characters. */
  readonly name: string;
  /** Identifies this installation and stays the same each time it pairs; 1 to 200 characters. */
  readonly id: string;
}

/** What a client is built from. */
export interface ClientSettings {
  /** Base address, such as `https://relay.example`. */
  readonly relayUrl: string;
  /** Stores this pairing's token. */
  readonly tokenStore: TokenStore;
  /** Required to pair. Its name is also the default for a draft's `app`. */
  readonly app?: AppIdentity;
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch;
  /** How files are uploaded. Default: `xhrUpload` in browsers, for its progress; otherwise `fetchUpload`. */
  readonly upload?: UploadTransport;
  /** How files are hashed, piece by piece. Default: by the browser, or in a Worker where it can't. */
  readonly sha256?: () => Sha256;
  /**
   * A copy of the client's Worker script on the page's own origin, for pages whose content policy allows no
   * `blob:` Worker. Default: a Blob.
   */
  readonly hashWorkerUrl?: string;
  /** `X-Service-Client`: `<app>/<version> (<display name>)`. Default: not sent. */
  readonly clientName?: string;
  /** The clock and the randomness of retries and of `follow`. */
  readonly pace?: Pace;
}

export interface Pace {
  readonly sleep: Sleep;
  /** At least 0 and less than 1. */
  readonly random: () => number;
  /** Milliseconds since any fixed time. */
  readonly nowMs: () => number;
}

/** The real clock and real randomness. */
export const REAL_PACE: Pace = {
  sleep: sleepOnClock,
  random: Math.random,
  nowMs: () => performance.now(),
};
