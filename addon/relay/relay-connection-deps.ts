import type { PairingCodeAnswer } from "../../core/protocol/importer-api.ts";
import type { ColorTurns } from "../state/color-turns.ts";
import type { StateStore } from "../state/state-store.ts";
import type { Outbox } from "./outbox.ts";
import type { RelaySessionDeps } from "./relay-session.ts";

export interface RelayConnectionDeps extends Pick<
  RelaySessionDeps,
  "registrationKey" | "identities" | "timers" | "random" | "isOwnRelay"
> {
  /** Returns the code that people see instead of the relay's. */
  readonly replaceCode?: ((code: PairingCodeAnswer) => Promise<PairingCodeAnswer>) | undefined;
  readonly outbox: Outbox;
  readonly store: StateStore;
  readonly colorTurns: Pick<ColorTurns, "learn" | "known">;
  /** Stores the address for the next start. */
  readonly keepRelayUrl: (relayUrl: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
