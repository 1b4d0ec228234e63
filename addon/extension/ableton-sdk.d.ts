// The imported part of Live's Extensions SDK, which isn't part of this project: `npm run build:live`
// bundles it from `--sdk`, or else `addon/extension/sdk-stand-in.ts`.
declare module "@ableton-extensions/sdk" {
  import type { LiveContext } from "../hosts/live/sdk/live-api.ts";

  export function initialize(activation: unknown, apiVersion: "1.0.0"): LiveContext;
  /** Kinds for `getObjectFromHandle`. */
  export const Scene: unknown;
  export const ClipSlot: unknown;
}
