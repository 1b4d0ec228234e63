import { PROGRAM_FORM, readOwnFile } from "./own-files.ts";

/**
 * The script of the stretching module, Signalsmith Stretch, which pages load into an audio worklet. The extension for
 * Live has it built in: its build replaces this file.
 */
export function readStretchModule(): Promise<Uint8Array> {
  return readOwnFile(
    PROGRAM_FORM === "checkout"
      ? "node_modules/signalsmith-stretch/SignalsmithStretch.mjs"
      : "stretch.js",
  );
}
