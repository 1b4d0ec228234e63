import { type Importer, RunningRelay } from "../../running-relay.ts";
import { ContractWatch, type WireAnswer } from "./contract-watch.ts";
import { rawCall, readAnswer, upgradeCall } from "./wire.ts";
import { manifestOf } from "../../../manifest-of.ts";

type PathParams = Readonly<Record<string, string>>;
export interface Sending {
  readonly body?: object | string | undefined;
  readonly headers?: Record<string, string>;
  /** Replaces the token that the call's authentication requires; null sends none. */
  readonly token?: string | null;
  readonly parts?: PathParams;
  readonly query?: string;
}

/** A relay with a paired app. Every answer is validated against the contract that it serves. */
export class World implements AsyncDisposable {
  readonly relay: RunningRelay;
  readonly watch: ContractWatch;
  readonly importer: Importer;
  readonly token: string;

  private constructor(parts: Pick<World, "relay" | "watch" | "importer" | "token">) {
    this.relay = parts.relay;
    this.watch = parts.watch;
    this.importer = parts.importer;
    this.token = parts.token;
  }

  /** @param watch another world's, so that both record together */
  static async start(
    settings: Record<string, string> = {},
    watch?: ContractWatch,
    options?: Parameters<typeof RunningRelay.start>[1],
  ): Promise<World> {
    const all = { SOUNDFERRY_PACKAGES_PER_HOUR: "1000", ...settings };
    const relay = await RunningRelay.start(all, options);
    const { json } = await relay.call("GET", "/openapi.json");
    const { importer, token } = await relay.paired();
    return new World({ relay, importer, token, watch: watch ?? new ContractWatch(json) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.relay[Symbol.asyncDispose]();
  }

  /** The token that an operation requires; undefined if it requires none. */
  tokenFor(id: string): string | undefined {
    const [scheme] = this.watch.operation(id).security.flatMap((one) => Object.keys(one));
    if (scheme === undefined) return undefined;
    return scheme === "appToken" ? this.token : this.importer.token;
  }

  /** Calls an operation of the contract and validates the answer; by default the socket as a socket. */
  async call(
    id: string,
    sending: Sending = {},
    isUpgrade = id === "openSocket",
  ): Promise<WireAnswer> {
    const token = sending.token === undefined ? this.tokenFor(id) : sending.token;
    const headers = {
      ...(typeof token === "string" && { authorization: `Bearer ${token}` }),
      ...sending.headers,
    };
    const url = this.relay.url + this.path(id, sending.parts) + (sending.query ?? "");
    const answer = isUpgrade
      ? await upgradeCall(url, headers)
      : await readAnswer(
          await fetch(url, {
            method: this.watch.operation(id).method,
            headers,
            redirect: "manual",
            ...(sending.body !== undefined && { body: asBody(sending.body), duplex: "half" }),
          }),
        );
    this.watch.judge(id, answer);
    return answer;
  }

  /**
   * The same with raw bytes: allows headers that Node's own client would not send. An empty line ends them.
   */
  async rawCall(id: string, headers: string, host = "Host: localhost\r\n"): Promise<WireAnswer> {
    const { method } = this.watch.operation(id);
    const head = `${method} ${this.path(id)} HTTP/1.1\r\n${host}${headers}\r\n\r\n`;
    const answer = await rawCall(this.relay.url, head);
    this.watch.judge(id, answer);
    return answer;
  }

  /** An operation's path; missing parts name what does not exist. */
  path(id: string, parts: PathParams = {}): string {
    return this.watch
      .operation(id)
      .path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts[name] ?? "x"));
  }

  /** Announces a package. */
  async announced(files: readonly string[] = ["kick.wav"]): Promise<string> {
    return (await this.relay.announce(this.token, manifestOf(files))).package_id;
  }

  /** Sends a package, and with `outcome` also takes it and reports that state. */
  async sent(outcome?: "imported" | "failed"): Promise<string> {
    const id = await this.relay.send(this.token);
    if (outcome !== undefined) {
      await this.call("reportResults", {
        parts: { id },
        body: { results: { 1: { status: outcome } } },
      });
    }
    return id;
  }
}

function asBody(body: object | string) {
  if (typeof body === "string" || body instanceof ReadableStream) return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}
