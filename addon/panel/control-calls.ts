import type { ImportWish, PanelPlan, PanelStart } from "../../core/protocol/panel-api.ts";

/** What the importer would not do, or that it can't be reached; the message is a sentence. */
export class ControlCallError extends Error {
  override readonly name = "ControlCallError";
  /** 0 where there was no answer. */
  readonly status: number;

  constructor(status: number, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.status = status;
  }
}

interface CallTerms {
  readonly body?: object;
  readonly signal?: AbortSignal;
}

/** The calls to the importer that serves this page, each with the secret of its start (rule N1). */
export class ControlCalls {
  readonly #address: string;
  readonly #secret: string;

  constructor({ address, secret }: Pick<PanelStart, "address" | "secret">) {
    this.#address = address;
    this.#secret = secret;
  }

  /** The importer's state, as bytes of lines that go on until one side ends it. */
  async openState(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const { body } = await this.#call("GET", "/control/state", { signal });
    if (body === null) throw new ControlCallError(0, "The importer says nothing.");
    return body;
  }

  /** What a package will become. */
  async plan(packageId: string, signal: AbortSignal): Promise<PanelPlan> {
    const path = `${packagePath(packageId)}/plan`;
    const answer = await this.#call("GET", path, { signal });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this page's own importer gave it
    return (await answer.json()) as PanelPlan;
  }

  /** A sound's whole file; the call fails, before it is fetched, where it has more than `maxBytes`. */
  async sound(
    packageId: string,
    soundId: string,
    { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<ArrayBuffer> {
    const path = `${packagePath(packageId)}/sounds/${encodeURIComponent(soundId)}`;
    const answer = await this.#call("GET", path, { signal });
    if (Number(answer.headers.get("content-length")) > maxBytes) {
      await answer.body?.cancel();
      throw new ControlCallError(answer.status, "This sound is too large to be played here.");
    }
    return answer.arrayBuffer();
  }

  beginRun(wish: ImportWish): Promise<void> {
    return this.#change("POST", "/control/runs", wish);
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

  correctTempo(on: boolean): Promise<void> {
    return this.#change("PUT", "/control/correct-tempo", { on });
  }

  clearKeptFiles(): Promise<void> {
    return this.#change("DELETE", "/control/kept-files");
  }

  async #change(method: string, path: string, body?: object): Promise<void> {
    await this.#call(method, path, body === undefined ? {} : { body });
  }

  async #call(method: string, path: string, { body, signal }: CallTerms): Promise<Response> {
    const answer = await this.#reach(path, {
      method,
      headers: {
        "x-soundferry-secret": this.#secret,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
      cache: "no-store",
    });
    if (!answer.ok) throw new ControlCallError(answer.status, await sentenceIn(answer));
    return answer;
  }

  async #reach(path: string, request: RequestInit): Promise<Response> {
    try {
      return await fetch(this.#address + path, request);
    } catch (error) {
      throw new ControlCallError(0, "The importer can’t be reached.", { cause: error });
    }
  }
}

function packagePath(packageId: string): string {
  return `/control/packages/${encodeURIComponent(packageId)}`;
}

async function sentenceIn(answer: Response): Promise<string> {
  try {
    const body: unknown = await answer.json();
    if (typeof body === "object" && body !== null && "error" in body) return String(body.error);
  } catch {
    // No JSON: said below.
  }
  return `The importer could not do that (${answer.status}).`;
}
