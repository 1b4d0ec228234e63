import type { PairingReply } from "./importer-api.ts";
import type { ImportAllRequest, ImportRequest, LanChoice } from "./panel-api.ts";

/**
 * The panel's calls to its importer (rule N1), by name: method and path. A call's parameters fill the path where it
 * names them; the others are its JSON body.
 */
export const PANEL_CALLS = {
  /** Answers with the `PanelState` as JSON lines, one after each change. */
  state: ["GET", "/control/state"],
  /** Answers with the package's `PanelPlan`. */
  plan: ["GET", "/control/packages/:package_id/plan"],
  /** Answers with a sound's WAV. */
  sound: ["GET", "/control/packages/:package_id/sounds/:sound_id"],
  /** Offers a sound's WAV at `DRAG_PATH`, once and for 60 seconds (rule N26). */
  offerDrag: ["POST", "/control/packages/:package_id/sounds/:sound_id/drag"],
  beginRun: ["POST", "/control/runs"],
  cancelRun: ["DELETE", "/control/runs/:package_id"],
  importAll: ["POST", "/control/import-all"],
  /** Stops the import of all (rule N23). */
  stopAll: ["DELETE", "/control/import-all"],
  dismiss: ["POST", "/control/packages/:package_id/dismissal"],
  undoDismiss: ["DELETE", "/control/packages/:package_id/dismissal"],
  /** Shows the package's folder on this computer's desktop. */
  reveal: ["POST", "/control/packages/:package_id/reveal"],
  openCode: ["POST", "/control/pairing-code"],
  keepCode: ["PUT", "/control/pairing-code"],
  closeCode: ["DELETE", "/control/pairing-code"],
  /** Allows or denies an app that has claimed the code. */
  answerPairing: ["PUT", "/control/pairing-request"],
  unpair: ["DELETE", "/control/apps/:pairing_id"],
  rename: ["POST", "/control/device-name"],
  setRelay: ["PUT", "/control/relay"],
  /** Says whether the relay is the one that was at `movedFrom`, as the person was asked. */
  answerMoved: ["PUT", "/control/relay/moved"],
  /** Lets devices in the local network send, or ends that (rule LAN1). */
  setLan: ["PUT", "/control/lan"],
  setHostSetting: ["PUT", "/control/host-settings/:setting_id"],
  /** Makes another folder the sounds folder. Answers with the earlier one's path (`stays`) if packages stay there. */
  setSoundsFolder: ["PUT", "/control/sounds-folder"],
  /** Shows the sounds folder on this computer's desktop. */
  revealSoundsFolder: ["POST", "/control/sounds-folder/reveal"],
  clearKeptFiles: ["DELETE", "/control/kept-files"],
  installLiveScript: ["POST", "/control/live/script"],
  /** Answers with the `LiveCheckState` as JSON lines, one after each change. */
  liveCheck: ["GET", "/control/live/check"],
  beginLiveCheck: ["POST", "/control/live/check"],
  cancelLiveCheck: ["DELETE", "/control/live/check"],
  answerLiveCheck: ["POST", "/control/live/check/answers/:id"],
} as const;

/** The one-time address of a sound, which needs no secret (rule N26). */
export const DRAG_PATH = "/control/drag/:token";

/** One-time keys for the panel's secret (rule N29): `POST` makes one; `/<key>` says whether it is unused. */
export const PANEL_KEYS_PATH = "/control/panel-keys";
/** Answers the panel's secret for a one-time key, once. */
export const PANEL_SESSION_PATH = "/control/panel-session";
/** Time within which a one-time key must be used. */
export const PANEL_KEY_MINUTES = 10;

const KEY_FRAGMENT = "#open=";

/** Returns the fragment of the panel's address that has a one-time key. */
export function panelKeyFragment(key: string): string {
  return KEY_FRAGMENT + key;
}

/** Returns the one-time key in a fragment; undefined where there is none. */
export function panelKeyIn(fragment: string): string | undefined {
  return fragment.startsWith(KEY_FRAGMENT) ? fragment.slice(KEY_FRAGMENT.length) : undefined;
}

export type PanelCall = keyof typeof PANEL_CALLS;

/** The JSON bodies of the calls that have one. */
interface PanelBodies {
  readonly beginRun: ImportRequest;
  readonly importAll: ImportAllRequest;
  /** A random UUID. */
  readonly offerDrag: { readonly token: string };
  /** `fresh` replaces a code that is still valid. */
  readonly openCode: { readonly fresh: boolean };
  /** False while the person is in another window than the one that shows the code. */
  readonly keepCode: { readonly visible: boolean };
  readonly answerPairing: PairingReply;
  readonly rename: { readonly device_name: string };
  readonly setRelay: { readonly address: string };
  readonly answerMoved: { readonly isSame: boolean; readonly movedFrom: string };
  /** `keepsOn` switches it on at later starts, too. */
  readonly setLan: LanChoice;
  readonly setHostSetting: { readonly value: boolean };
  /** An absolute path, or one that begins with `~`. */
  readonly setSoundsFolder: { readonly folder: string };
  /** A number that the person counted, `true` once they did what was asked, null to skip it. */
  readonly answerLiveCheck: { readonly answer: number | true | null };
}

/** A call's parameters: those of its path, and the members of its body. */
export type PanelParams<Call extends PanelCall> = Readonly<
  Record<NamedIn<(typeof PANEL_CALLS)[Call][1]>, string>
> &
  (Call extends keyof PanelBodies ? PanelBodies[Call] : unknown);

/** The calls that need no parameters. */
export type PlainPanelCall = {
  [Call in PanelCall]: object extends PanelParams<Call> ? Call : never;
}[PanelCall];

type NamedIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamedIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
