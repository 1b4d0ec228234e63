import type { SendProgress } from "../../../client/send/send-options.ts";

/** A package being sent. */
export interface Sending {
  /** The target computer. */
  readonly computerName: string;
  /** null until the first sound is read. */
  readonly progress: SendProgress | null;
  /** Why sending is paused and when it retries; null while it makes progress. */
  readonly trouble: string | null;
}
