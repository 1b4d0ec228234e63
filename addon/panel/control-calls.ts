import type { ImportRequest, PanelPlan, PanelStart } from "../../core/protocol/panel-api.ts";
import { SecretCalls } from "../../web/secret-calls.ts";

/** The calls to the importer that serves this page (rule N1). */
export class ControlCalls {
  readonly #calls: SecretCalls;

  constructor({ address, secret }: Pick<PanelStart, "address" | "secret">) {
    this.#calls = new SecretCalls({ address, secret, serverName: "Soundferry" });
  }

  /** The importer's state, as bytes of lines that go on until one side ends it. */
  openState(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    return this.#calls.lines("/control/state", signal);
  }

  /** What a package will become. */
  async plan(packageId: string, signal: AbortSignal): Promise<PanelPlan> {
    const answer = await this.#calls.call("GET", `${packagePath(packageId)}/plan`, { signal });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this page's own importer gave it
    return (await answer.json()) as PanelPlan;
  }

  /** A sound's whole file; the call fails, before it is fetched, where it has more than `maxBytes`. */
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

  askForCode(): Promise<void> {
    return this.#change("POST", "/control/pairing-code");
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

  setHostSetting(id: string, value: boolean): Promise<void> {
    return this.#change("PUT", `/control/host-settings/${encodeURIComponent(id)}`, { value });
  }

  clearKeptFiles(): Promise<void> {
    return this.#change("DELETE", "/control/kept-files");
  }

  async #change(method: string, path: string, body?: object): Promise<void> {
    await this.#calls.call(method, path, body === undefined ? {} : { body });
  }
}

function packagePath(packageId: string): string {
  return `/control/packages/${encodeURIComponent(packageId)}`;
}
