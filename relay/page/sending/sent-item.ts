import type { PackageStatus, SoundResults } from "../../../core/protocol/package-status.ts";

/** A package that was sent from this page; kept over a reload. */
export interface SentPackageNote {
  readonly packageId: string;
  /** Of the pairing that it was sent with. */
  readonly pairingKey: string;
  readonly title: string;
  readonly computerName: string;
  /** In their order. */
  readonly sounds: readonly { readonly id: string; readonly name: string }[];
  /** What the relay has repaired, a sentence each. */
  readonly warnings: readonly string[];
}

/** Such a package, and what is known of it. */
export interface SentItem extends SentPackageNote {
  /** null until the relay has said; `takenBack` was a person's wish; `unknown` where it says nothing any more. */
  readonly status: PackageStatus | "takenBack" | "unknown" | null;
  readonly results: SoundResults | null;
  /** Why nothing is known, or what was refused; null where all is well. */
  readonly trouble: string | null;
}
