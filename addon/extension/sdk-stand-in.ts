import type { LiveContext } from "../hosts/live/sdk/live-api.ts";

// Replaces Live's SDK when `npm run build:live` runs without it: for tests, not for Live.

/** Returns the context that a test put into the activation. @throws {Error} inside Live, with a sentence */
export function initialize(activation: unknown): LiveContext {
  if (!hasContext(activation)) {
    throw new Error(
      "This Soundferry was built without Ableton's SDK, so it can't run in Live. Build it with: npm run build:live -- --sdk <path>",
    );
  }
  return activation.context;
}

export const Scene = "Scene";
export const ClipSlot = "ClipSlot";

function hasContext(activation: unknown): activation is { readonly context: LiveContext } {
  return typeof activation === "object" && activation !== null && "context" in activation;
}
