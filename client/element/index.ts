import { SoundferrySend } from "./soundferry-send.ts";

// The entry `@soundferry/client/element` and the whole content of `/element.js`: defines `<soundferry-send>`.

export type { Warning } from "../../core/manifest/manifest.ts";
export type { SoundKind, SoundRole, WarpMode } from "../../core/manifest/manifest.ts";
export type {
  PackageStatus,
  SoundResult,
  SoundResults,
} from "../../core/protocol/package-status.ts";
export type { StatusAnswer } from "../../core/protocol/public-api.ts";
export { ClientError } from "../wire/client-error.ts";
export type { GivenSound as ElementSound } from "../send/session/session-sound.ts";
export type { SessionEvents as ElementEvents } from "../send/session/session-view.ts";
export { SoundferrySend } from "./soundferry-send.ts";
export type { ElementTexts } from "./texts.ts";

export const TAG = "soundferry-send";

declare global {
  interface HTMLElementTagNameMap {
    "soundferry-send": SoundferrySend;
  }
}

// The first definition stays if the script runs twice; a server has no custom elements.
if (globalThis.customElements?.get(TAG) === undefined) {
  globalThis.customElements?.define(TAG, SoundferrySend);
}
