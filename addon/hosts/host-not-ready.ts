import type { Host } from "./host.ts";
import { hostLabel } from "./host-label.ts";

/** The host of an import doesn't answer (rule R9); nothing was taken. */
export class HostNotReadyError extends Error {
  override readonly name = "HostNotReadyError";
  readonly code = "HOST_NOT_READY";

  constructor(host: Host) {
    super(notReadySentence(host));
  }
}

/** What to do about a host that isn't ready. */
export function notReadySentence(host: Host): string {
  return host.whenNotReady ?? `${hostLabel(host)} doesn't answer.`;
}
