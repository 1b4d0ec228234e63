import "./extension/bare-globals.ts";
import process from "node:process";
import { ClipSlot, initialize, Scene } from "@ableton-extensions/sdk";
import { panelPage, suggestedRelayUrl } from "soundferry:built-in";
import { type LiveExtension, startExtension } from "./extension/start-extension.ts";

/**
 * Starts the extension and returns at once. This is the bundle's entry point, which Live calls when it starts.
 * @throws {Error} when the bundle lacks Live's SDK, or Live is too old for it
 */
export function activate(activation: unknown): void {
  const extension = startExtension({
    context: initialize(activation, "1.0.0"),
    kinds: { Scene, ClipSlot },
    panelPage,
    suggestedRelayUrl,
    environment: process.env,
  });
  process.once("SIGTERM", () => void closeAndGo(extension));
}

/** Closes, then sends the signal again for its default action. */
async function closeAndGo(extension: LiveExtension): Promise<void> {
  await extension.close();
  if (process.listenerCount("SIGTERM") === 0) process.kill(process.pid, "SIGTERM");
}
