// The imported part of Live's Extensions SDK, which isn't part of this project: `npm run build:live`
// bundles it from `--sdk`, or else `addon/extension/sdk-stand-in.ts`.
declare module "@ableton-extensions/sdk" {
  import type { LiveContext } from "../hosts/live/sdk/live-api.ts";

  export function initialize(activation: unknown, apiVersion: "1.0.0"): LiveContext;
  /** Kinds for `getObjectFromHandle`. */
  export const Scene: unknown;
  export const ClipSlot: unknown;
}

// Generated into the bundle by `npm run build:live`.
declare module "soundferry:built-in" {
  /** The panel's page as HTML. */
  export const panelPage: string;
  /** Prefills the panel's address field at first run (`--relay`); empty where the build names no relay. */
  export const suggestedRelayUrl: string;
}
