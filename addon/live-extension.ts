import "./extension/bare-globals.ts";
import process from "node:process";
import { ClipSlot, initialize, Scene } from "@ableton-extensions/sdk";
import { panelPage, suggestedRelayUrl } from "soundferry:built-in";
import { type LiveExtension, startExtension } from "./extension/start-extension.ts";

/**
 * What Live calls when it starts: the entry of the bundle that `npm run build:live` makes. It returns at once.
 * @throws {Error} when Live's SDK was not built in, or Live is too old for it
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

/** Lets the signal do what it would have done without us, once all is closed. */
async function closeAndGo(extension: LiveExtension): Promise<void> {
  await extension.close();
  if (process.listenerCount("SIGTERM") === 0) process.kill(process.pid, "SIGTERM");
}
