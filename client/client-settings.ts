import type { Sha256 } from "./hash-sound.ts";
import { type Sleep, sleepOnClock } from "./retry.ts";
import type { TokenStore } from "./token-store.ts";
import type { UploadTransport } from "./upload-transport.ts";

/** Who pairs. */
export interface AppIdentity {
  /** Shown to the user beside the pairing; at most 40 characters. */
  readonly name: string;
  /** This installation's own, the same each time it pairs; 1 to 200 characters. */
  readonly id: string;
}

/** What a client is made of. */
export interface ClientSettings {
  /** Base address, such as `https://relay.example`. */
  readonly relayUrl: string;
  /** Holds the token of this pairing. */
  readonly tokenStore: TokenStore;
  /** Needed to pair; its name also stands in for the one that a draft leaves out. */
  readonly app?: AppIdentity;
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch;
  /** How files travel. Default: `xhrUpload` in browsers, for its progress; else `fetchUpload`. */
  readonly upload?: UploadTransport;
  /** How files are hashed. Default: in JavaScript, which works everywhere. */
  readonly sha256?: () => Sha256;
  /** `X-Service-Client`: `<app>/<version> (<display name>)`. Default: not sent. */
  readonly clientName?: string;
  /** The clock and the randomness of retries and of following. */
  readonly pace?: Pace;
}

export interface Pace {
  readonly sleep: Sleep;
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
  /** Milliseconds since any fixed moment. */
  readonly nowMs: () => number;
}

/** The real clock, and real chance. */
export const REAL_PACE: Pace = {
  sleep: sleepOnClock,
  random: Math.random,
  nowMs: () => performance.now(),
};
