/**
 * Why the control surface can't be reached: `absent` (nothing says where it is), `silent` (nobody proves
 * to be it), `version` (it is from another release), `lost` (the connection ended).
 */
export type UnreachableReason = "absent" | "silent" | "version" | "lost";

/** The control surface can't be reached; the message is a sentence for the person who imports. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
  readonly reason: UnreachableReason;

  constructor(reason: UnreachableReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** An `error` that the control surface answered a request with. */
export class SurfaceError extends Error {
  override readonly name = "SurfaceError";
  /** One of the contract's, such as `busy`. */
  readonly code: string;
  /** With `limit`: how many of them the Set has. */
  readonly limit: { readonly what: string; readonly count: number } | undefined;
  /** Names of what could not be removed. */
  readonly stays: readonly string[];
  /** With `refused`: completes “Live couldn't …”. */
  readonly step: string | undefined;

  constructor(
    code: string,
    message: string,
    more: {
      readonly limit?: { readonly what: string; readonly count: number } | undefined;
      readonly stays?: readonly string[];
      readonly step?: string | undefined;
    } = {},
  ) {
    super(message);
    this.code = code;
    this.limit = more.limit;
    this.stays = more.stays ?? [];
    this.step = more.step;
  }
}

export function isUnreachable(error: unknown, ...reasons: readonly UnreachableReason[]): boolean {
  return error instanceof UnreachableError && reasons.includes(error.reason);
}
