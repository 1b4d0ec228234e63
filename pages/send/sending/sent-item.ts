import type { PackageNews } from "../../../client/send/words/format-status.ts";
import type { SoundDescription } from "../sounds/plan-sound.ts";
import type { Pairing } from "../../../client/pairing/pairings.ts";

/** A sound of a sent package, as it was described. */
export interface SentSound extends SoundDescription {
  readonly id: string;
}

/** A package sent from this page; survives a reload. */
export interface SentPackageNote {
  readonly packageId: string;
  /** Of the pairing it was sent with. */
  readonly pairingKey: string;
  readonly title: string;
  readonly computerName: string;
  /** In their order. */
  readonly sounds: readonly SentSound[];
  /** What the relay repaired, one sentence each. */
  readonly warnings: readonly string[];
}

/** A sent package and what is known about it. */
export interface SentItem extends SentPackageNote, PackageNews {
  readonly sounds: readonly SentSound[];
  readonly isDismissed: boolean;
  /** Why the status is unknown, or what was refused; null if all is well. */
  readonly trouble: string | null;
}

/** Identifies a sound among all sent packages. */
export function sentKey({ packageId }: { readonly packageId: string }, id: string): string {
  return `${packageId}/${id}`;
}

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
