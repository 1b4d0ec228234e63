import type {
  ImportAllRequest,
  ImportRequest,
  PanelPlan,
  PanelStart,
} from "../../core/protocol/panel-api.ts";
import { SecretCalls } from "../kit/secret-calls.ts";

const PAIRING_CODE = "/control/pairing-code";
const LIVE_CHECK = "/control/live/check";

/** The page's calls to its importer (rule N1). */
export class ControlCalls {
  readonly #calls: SecretCalls;

  constructor({ address, secret }: Pick<PanelStart, "address" | "secret">) {
    this.#calls = new SecretCalls({ address, secret, serverName: "Soundferry" });
  }

  /** Streams the importer's state as NDJSON. */
  openState(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    return this.#calls.lines("/control/state", signal);
  }

  async plan(packageId: string, signal: AbortSignal): Promise<PanelPlan> {
    const answer = await this.#calls.call("GET", `${packagePath(packageId)}/plan`, { signal });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this page's own importer gave it
    return (await answer.json()) as PanelPlan;
  }

  /** Fetches a sound's file; rejects before the download if it exceeds `maxBytes`. */
  sound(
    packageId: string,
    soundId: string,
    options: { readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<ArrayBuffer> {
    const path = `${packagePath(packageId)}/sounds/${encodeURIComponent(soundId)}`;
    return this.#calls.sound(path, options);
  }

  beginRun(request: ImportRequest): Promise<void> {
    return this.#change("POST", "/control/runs", request);
  }

  cancelRun(packageId: string): Promise<void> {
    return this.#change("DELETE", `/control/runs/${encodeURIComponent(packageId)}`);
  }

  importAll(): Promise<void> {
    const request: ImportAllRequest = { background: true };
    return this.#change("POST", "/control/import-all", request);
  }

  dismiss(packageId: string): Promise<void> {
    return this.#change("POST", `${packagePath(packageId)}/dismissal`);
  }

  undoDismiss(packageId: string): Promise<void> {
    return this.#change("DELETE", `${packagePath(packageId)}/dismissal`);
  }

  /** Shows the package's folder on this computer's desktop. */
  reveal(packageId: string): Promise<void> {
    return this.#change("POST", `${packagePath(packageId)}/reveal`);
  }

  /** @param fresh replaces a code that is still valid */
  openCode(fresh: boolean): Promise<void> {
    return this.#change("POST", PAIRING_CODE, { fresh });
  }

  /** Says that the page still shows the code, or that the person is in another window. */
  keepCode(visible: boolean): Promise<void> {
    return this.#change("PUT", PAIRING_CODE, { visible });
  }

  closeCode(): Promise<void> {
    return this.#change("DELETE", PAIRING_CODE);
  }

  /** Whether an app that has claimed the code may pair. */
  answerPairing(requestId: string, isAllowed: boolean): Promise<void> {
    const answer = isAllowed ? "allow" : "deny";
    return this.#change("PUT", "/control/pairing-request", { request_id: requestId, answer });
  }

  unpair(pairingId: string): Promise<void> {
    return this.#change("DELETE", `/control/apps/${encodeURIComponent(pairingId)}`);
  }

  rename(deviceName: string): Promise<void> {
    return this.#change("POST", "/control/device-name", { device_name: deviceName });
  }

  setRelay(address: string): Promise<void> {
    return this.#change("PUT", "/control/relay", { address });
  }

  /** Answers whether the relay is the one that was at `movedFrom`, as the person was asked. */
  answerMoved(isSame: boolean, movedFrom: string): Promise<void> {
    return this.#change("PUT", "/control/relay/moved", { isSame, movedFrom });
  }

  setHostSetting(id: string, value: boolean): Promise<void> {
    return this.#change("PUT", `/control/host-settings/${encodeURIComponent(id)}`, { value });
  }

  clearKeptFiles(): Promise<void> {
    return this.#change("DELETE", "/control/kept-files");
  }

  installLiveScript(): Promise<void> {
    return this.#change("POST", "/control/live/script");
  }

  /** Streams the check of Live as NDJSON. */
  openLiveCheck(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    return this.#calls.lines(LIVE_CHECK, signal);
  }

  beginLiveCheck(): Promise<void> {
    return this.#change("POST", LIVE_CHECK);
  }

  cancelLiveCheck(): Promise<void> {
    return this.#change("DELETE", LIVE_CHECK);
  }

  /** @param answer what the person counted, `true` once they did it, null to skip */
  answerLiveCheck(id: string, answer: number | true | null): Promise<void> {
    return this.#change("POST", `${LIVE_CHECK}/answers/${encodeURIComponent(id)}`, { answer });
  }

  async #change(method: string, path: string, body?: object): Promise<void> {
    await this.#calls.call(method, path, body === undefined ? {} : { body });
  }
}

function packagePath(packageId: string): string {
  return `/control/packages/${encodeURIComponent(packageId)}`;
}
