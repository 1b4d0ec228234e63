import type { SendProgress } from "../../../client/send-options.ts";

/** A package that is on its way. */
export interface Sending {
  readonly title: string;
  /** The computer that it goes to. */
  readonly computerName: string;
  /** null until the first sound is read. */
  readonly progress: SendProgress | null;
  /** Why it does not go on just now, and when it is tried again; null while it goes on. */
  readonly trouble: string | null;
}
