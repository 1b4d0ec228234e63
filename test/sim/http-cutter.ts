import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { buffer } from "node:stream/consumers";
import { cutAfter, drained, frame, joined, wholeBody } from "./passing-streams.ts";

/** A call on its way to the target. */
export interface PassingCall {
  readonly method: string;
  /** With the query. */
  path: string;
  readonly headers: IncomingHttpHeaders;
  /** URL of the server to which it passes calls. */
  readonly target: string;
  /** The caller's address. */
  readonly from: string;
  /** Its number among the calls of this method and path, from 1. */
  readonly nth: number;
  readonly isUpgrade: boolean;
}

/** The answer on its way back. */
export interface PassingAnswer {
  status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: IncomingMessage;
  /** The pieces of the call's body that have come. */
  readonly sent: readonly Buffer[];
}

/** An answer of the proxy itself. */
export interface InsteadAnswer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
}

/** The fate of a call. Without a fault it is passed on, and so is its answer. */
export type CallFault =
  /** It isn't passed on, and nothing ever comes back. */
  | "hang"
  /** It is passed on and done, and the answer is lost. */
  | "lose answer"
  /** It is passed on once all of its body is there. */
  | "hold body"
  /**
   * The same, with the body that this returns; or an answer in place of the target's. A body whose sender pauses is passed
   * on as it comes.
   */
  | { readonly rewrite: (body: Buffer) => Buffer | InsteadAnswer }
  /** It isn't passed on; this is the answer. */
  | InsteadAnswer
  /** It isn't passed on, and its connection breaks once so many bytes of its body came. */
  | { readonly cutBodyAfter: number }
  /** Its answer breaks off after so many bytes. */
  | { readonly cutAfter: number }
  /** The byte at this offset of the answer's body is inverted. */
  | { readonly spoil: number }
  /** The answer is 504 once the target is silent for so long. */
  | { readonly idleMs: number };

export interface HttpCutterOptions {
  /** Sees each call, may change its path and headers, and says what becomes of it. */
  readonly fault?: (call: PassingCall) => CallFault | undefined;
  /** May change an answer's status and headers. A body that it returns is sent instead. */
  readonly change?: (
    answer: PassingAnswer,
    call: PassingCall,
  ) => Promise<string | Buffer | undefined>;
  /** Joins both ends of an upgraded connection. Default: each gets what the other sends. */
  readonly join?: (caller: Duplex, target: Socket) => void;
  /** The address from which the target is called. */
  readonly localAddress?: string;
}

/** An HTTP proxy before a server, which breaks the calls that a test chooses. */
export class HttpCutter implements AsyncDisposable {
  /** Every call that came. */
  readonly calls: PassingCall[] = [];
  /** Bytes of bodies that came. */
  receivedBytes = 0;
  fault: NonNullable<HttpCutterOptions["fault"]>;
  readonly #options: HttpCutterOptions;
  readonly #server = createServer({ requestTimeout: 0, keepAliveTimeout: 0 });
  readonly #sockets = new Set<Duplex>();
  #target: string;
  #isClosed = false;

  private constructor(target: string, options: HttpCutterOptions) {
    this.#target = target;
    this.#options = options;
    this.fault = options.fault ?? (() => undefined);
    this.#server.on("connection", (socket) => this.#watch(socket.setMaxListeners(0)));
    this.#server.on("request", (incoming, answer) => void this.#pass(incoming, answer));
    this.#server.on("upgrade", (incoming, socket, head) => this.#upgrade(incoming, socket, head));
    // What is no HTTP is the target's to refuse.
    this.#server.on("clientError", (error: Error & { rawPacket?: Buffer }, socket) => {
      this.#tunnel(socket, [error.rawPacket ?? Buffer.alloc(0)]);
    });
  }

  /** @param target the URL of a server */
  static async to(target: string, options: HttpCutterOptions = {}): Promise<HttpCutter> {
    const cutter = new HttpCutter(target, options);
    await once(cutter.#server.listen(0, "127.0.0.1"), "listening");
    return cutter;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The calls for files of sounds. */
  get downloads(): readonly PassingCall[] {
    return this.calls.filter(({ path }) => path.includes("/files/"));
  }

  /** Breaks the next calls of the kind, so many of them. */
  failNext(method: string, path: RegExp, fault: CallFault, times = 1): void {
    let left = times;
    this.fault = (call) => {
      if (left === 0 || call.method !== method || !path.test(call.path)) return undefined;
      left -= 1;
      return fault;
    };
  }

  /** Passes calls on to another server from now on. */
  aimAt(target: string): void {
    this.#target = target;
  }

  dropConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Cuts every connection for good. */
  close(): void {
    this.#isClosed = true;
    this.dropConnections();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
    this.#server.close();
    await once(this.#server, "close");
  }

  #watch(socket: Duplex): void {
    if (this.#isClosed) socket.destroy();
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.#sockets.delete(socket));
  }

  #note(incoming: IncomingMessage, isUpgrade: boolean): PassingCall {
    const { method = "", url: path = "", headers } = incoming;
    const earlier = this.calls.filter((call) => call.method === method && call.path === path);
    const from = incoming.socket.remoteAddress ?? "";
    const nth = earlier.length + 1;
    const call = {
      method,
      path,
      headers: { ...headers },
      target: this.#target,
      from,
      nth,
      isUpgrade,
    };
    this.calls.push(call);
    return call;
  }

  async #pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    incoming.on("error", () => undefined);
    const sent: Buffer[] = [];
    incoming.on("data", (piece: Buffer) => {
      this.receivedBytes += piece.byteLength;
      if (this.#options.change !== undefined) sent.push(piece);
    });
    incoming.pause();
    const call = this.#note(incoming, false);
    const fault = this.fault(call);
    if (fault === "hang") return void incoming.resume();
    if (typeof fault === "object" && "status" in fault) {
      incoming.resume();
      return void answer.writeHead(fault.status, fault.headers).end(fault.body);
    }
    if (typeof fault === "object" && "cutBodyAfter" in fault) {
      return cutAfter(incoming, fault.cutBodyAfter);
    }
    let rewritten: Buffer | undefined;
    if (typeof fault === "object" && "rewrite" in fault) {
      const whole = await wholeBody(incoming);
      const made = whole === undefined ? undefined : fault.rewrite(whole);
      if (made !== undefined && !Buffer.isBuffer(made)) {
        return void answer.writeHead(made.status, made.headers).end(made.body);
      }
      rewritten = made;
      if (made !== undefined) frame(call.headers, made);
    }
    const onward = request(this.#target + call.path, {
      method: call.method,
      headers: call.headers,
      agent: false,
      ...(this.#options.localAddress !== undefined && { localAddress: this.#options.localAddress }),
    });
    const end = () => {
      onward.destroy();
      incoming.socket.destroy();
    };
    // Some servers send more after the answer to a HEAD, which Node doesn't expect.
    onward.on("error", () => void (answer.writableEnded || end()));
    answer.once("close", () => void (answer.writableFinished || onward.destroy()));
    if (typeof fault === "object" && "idleMs" in fault) {
      onward.setTimeout(fault.idleMs, () => answer.writeHead(504).end("<h1>504</h1>"));
    }
    onward.once(
      "response",
      (body) => void this.#answer(body, answer, { call, sent }, fault).catch(end),
    );
    if (rewritten !== undefined) return void onward.end(rewritten);
    if (fault === "hold body") {
      const whole = await buffer(incoming).catch(() => undefined);
      return void (whole === undefined ? onward.destroy() : onward.end(whole));
    }
    if (call.headers["content-length"] !== undefined) onward.flushHeaders();
    incoming.pipe(onward);
  }

  async #answer(
    body: IncomingMessage,
    answer: ServerResponse,
    { call, sent }: { readonly call: PassingCall; readonly sent: readonly Buffer[] },
    fault: CallFault | undefined,
  ): Promise<void> {
    if (fault === "lose answer") {
      await buffer(body);
      throw new Error("The answer is lost.");
    }
    const passing = { status: body.statusCode ?? 502, headers: { ...body.headers }, body, sent };
    const { change } = this.#options;
    // Without a change an answer to HEAD ends in this turn, before what some servers send after it is an error.
    const instead = change === undefined ? undefined : await change(passing, call);
    answer.writeHead(passing.status, passing.headers);
    if (instead !== undefined || call.method === "HEAD") return void answer.end(instead);
    const cutAt = typeof fault === "object" && "cutAfter" in fault ? fault.cutAfter : Infinity;
    const spoiled = typeof fault === "object" && "spoil" in fault ? fault.spoil : -1;
    let passed = 0;
    for await (const piece of body as AsyncIterable<Buffer>) {
      if (passed + piece.byteLength > cutAt) {
        const rest = piece.subarray(0, cutAt - passed);
        return void answer.write(rest, () => setImmediate(() => answer.destroy()));
      }
      const at = spoiled - passed;
      if (at >= 0 && at < piece.byteLength) piece[at] = ~(piece[at] ?? 0) & 0xff;
      passed += piece.byteLength;
      if (!answer.write(piece)) await drained(answer);
    }
    answer.end();
  }

  #upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const call = this.#note(incoming, true);
    const fault = this.fault(call);
    if (typeof fault === "object" && "status" in fault) {
      return void socket.end(`HTTP/1.1 ${fault.status} No\r\nContent-Length: 0\r\n\r\n`);
    }
    const lines = Object.entries(call.headers).map(([name, value]) => `${name}: ${String(value)}`);
    const asked = `GET ${call.path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
    this.#tunnel(socket, [Buffer.from(asked), head], this.#options.join);
  }

  #tunnel(socket: Duplex, first: readonly Buffer[], join = joined): void {
    if (socket.destroyed) return;
    const { hostname: host, port } = new URL(this.#target);
    const { localAddress } = this.#options;
    const onward = connect({
      host,
      port: Number(port),
      ...(localAddress !== undefined && { localAddress }),
    });
    this.#watch(onward);
    this.#watch(socket);
    onward.once("close", () => socket.destroy());
    socket.once("close", () => onward.destroy());
    // A connection that nobody reads on stays half open.
    socket.once("end", () => socket.destroy());
    for (const bytes of first) onward.write(bytes);
    join(socket, onward);
  }
}
