import type { Pairing } from "../../../client/pairings.ts";

/** A computer that this page is paired with. */
export interface PageComputer {
  readonly pairing: Pairing;
  /** What it is called now. */
  readonly name: string;
}

/** Names a pairing without giving its secret away: 48 of its 256 bits. */
export function pairingKey({ token }: Pick<Pairing, "token">): string {
  return token.slice(-8);
}
