import type { PairingCodeAnswer } from "../../core/protocol/importer-api.ts";
import type { Refresher } from "../state/refresher.ts";
import type { PairingCodes } from "./pairing-codes.ts";
import type { PairingRequestSync } from "./pairing-request-sync.ts";
import type { RelaySession } from "./relay-session.ts";

/** What belongs to one relay; a switch replaces it. */
export interface CurrentRelay {
  readonly session: RelaySession;
  readonly apps: Refresher;
  readonly packages: Refresher;
  readonly request: PairingRequestSync;
  /** Apps that had paired when the list was first read. */
  pairedBefore?: ReadonlySet<string>;
  readonly codes: PairingCodes;
  /** An app that used a code, until the list of apps says which one it is. */
  used?: { readonly appName: string; readonly code: PairingCodeAnswer | null } | undefined;
}
