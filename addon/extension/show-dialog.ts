import { Buffer } from "node:buffer";
import { setTimeout } from "node:timers/promises";
import type { LiveUi } from "../hosts/live/sdk/live-api.ts";

/** In points; Live's dialogs can't be resized. */
export interface DialogSize {
  readonly width: number;
  readonly height: number;
}

/** Resolves after so many milliseconds. */
export type Pause = (ms: number) => Promise<unknown>;

/** Live may refuse a dialog right after another has closed. */
const RETRIES = 4;
const RETRY_MS = 150;

/**
 * Shows a page in Live's dialog until it is closed; returns the text that it sent. A dialog that Live refuses is
 * tried again four times.
 * @throws {Error} with a sentence when Live refuses it to the end
 */
export async function showDialog(
  ui: LiveUi,
  url: string,
  { width, height }: DialogSize,
  pause: Pause = setTimeout,
): Promise<string> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await ui.showModalDialog(url, width, height);
    } catch (cause) {
      if (retries === RETRIES) throw new Error("Live couldn't open the dialog.", { cause });
    }
    await pause(RETRY_MS);
  }
}

/** Returns a page's address that every web view shows. */
export function dataUrl(html: string): string {
  return `data:text/html;charset=utf-8;base64,${Buffer.from(html).toString("base64")}`;
}
