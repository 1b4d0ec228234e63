import type { Break } from "./breaking-proxy.ts";

/** A rule, and what breaks it. */
export interface BreakCase extends Break {
  readonly rule: string;
  readonly what: string;
  /** Other rules that this breaks. */
  readonly also?: readonly string[];
  /** The need that the run must allow. */
  readonly needs?: "limit" | "time";
}
