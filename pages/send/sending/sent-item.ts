import type { PackageNews } from "../../../client/send/words/format-status.ts";
import type { SoundDescription } from "../sounds/describe-sound.ts";

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
