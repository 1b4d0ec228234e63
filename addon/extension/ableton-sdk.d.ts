// What is imported of Live's Extensions SDK, which is no part of this project: `npm run build:live`
// takes it from `--sdk`, or puts `addon/extension/sdk-stand-in.ts` in its place.
declare module "@ableton-extensions/sdk" {
  import type { LiveContext } from "../hosts/live/live-api.ts";

  export function initialize(activation: unknown, apiVersion: "1.0.0"): LiveContext;
  /** Kinds for `getObjectFromHandle`. */
  export const Scene: unknown;
  export const ClipSlot: unknown;
}
