import type { Pairing } from "../../../client/pairing/pairings.ts";

/** A computer paired with this page. */
export interface PageComputer {
  readonly pairing: Pairing;
  /** Its current name. */
  readonly name: string;
}

/** Identifies a pairing without revealing its token: 48 of the token's 256 bits. */
export function pairingKey({ token }: Pick<Pairing, "token">): string {
  return token.slice(-8);
}
