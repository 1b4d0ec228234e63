import {
  request as httpRequest,
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { once } from "node:events";

/** A call on its way to the service. */
export interface PassingCall {
  readonly method: string;
  /** With the query. */
  readonly path: string;
}

/** What becomes of a call. */
export type Fault =
  /** It isn't passed on, and its connection breaks once so many bytes of the body came. */
  | { readonly kind: "cut"; readonly afterBytes: number }
  /** It is passed on and done, and the answer is lost. */
  | { readonly kind: "lose-answer" }
  /** It isn't passed on; this is the answer. */
  | { readonly kind: "answer"; readonly status: number; readonly body: string }
  /** Nothing ever comes back. */
  | { readonly kind: "hang" };

/** A service in front of an S3 server that breaks the calls which a test chooses. */
export class FaultyS3 implements AsyncDisposable {
  /** Every call that came. */
  readonly calls: PassingCall[] = [];
  /** Bytes of bodies that came. */
  receivedBytes = 0;
  /** Asked about each call. */
  faultOf: (call: PassingCall) => Fault | undefined = () => undefined;
  readonly #target: URL;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  private constructor(endpoint: string) {
    this.#target = new URL(endpoint);
    this.#server = createServer((incoming, answer) => this.#pass(incoming, answer));
    this.#server.requestTimeout = 0;
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => {}).setMaxListeners(0);
      socket.once("close", () => this.#sockets.delete(socket));
    });
  }

  static async start(endpoint: string): Promise<FaultyS3> {
    const faulty = new FaultyS3(endpoint);
    faulty.#server.listen(0, "127.0.0.1");
    await once(faulty.#server, "listening");
    return faulty;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Fails the next calls of the kind, so many of them. */
  failNext(method: string, path: RegExp, fault: Fault, times = 1): void {
    let left = times;
    this.faultOf = (call) => {
      if (left === 0 || call.method !== method || !path.test(call.path)) return undefined;
      left -= 1;
      return fault;
    };
  }

  /** Cuts every connection for good. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
  }

  #pass(incoming: IncomingMessage, answer: ServerResponse): void {
    if (this.#isCut) {
      incoming.socket.destroy();
      return;
    }
    const call = { method: incoming.method ?? "", path: incoming.url ?? "" };
    this.calls.push(call);
    incoming.on("data", (piece: Buffer) => {
      this.receivedBytes += piece.length;
    });
    incoming.on("error", () => {});
    const fault = this.faultOf(call);
    if (fault?.kind === "cut") cutAfter(incoming, fault.afterBytes);
    else if (fault?.kind === "answer") answerInstead(incoming, answer, fault);
    else if (fault?.kind === "hang") incoming.resume();
    else this.#forward(incoming, answer, fault?.kind === "lose-answer");
  }

  #forward(incoming: IncomingMessage, answer: ServerResponse, losesAnswer: boolean): void {
    const { hostname, port } = this.#target;
    const { method, url: path, headers } = incoming;
    const onward = httpRequest({ hostname, port, method, path, headers, agent: false });
    const end = () => {
      onward.destroy();
      incoming.socket.destroy();
    };
    onward.on("error", () => {
      // Swift sends some bytes after the answer to a HEAD, which Node doesn't expect.
      if (!answer.writableEnded) end();
    });
    incoming.socket.once("close", () => onward.destroy());
    onward.once("response", (got) => {
      got.on("error", end);
      if (losesAnswer) {
        got.resume();
        got.once("end", end);
        return;
      }
      answer.writeHead(got.statusCode ?? 502, got.headers);
      if (method === "HEAD") answer.end();
      else got.pipe(answer);
    });
    incoming.pipe(onward);
  }
}

function cutAfter(incoming: IncomingMessage, afterBytes: number): void {
  let came = 0;
  if (afterBytes === 0) incoming.socket.destroy();
  incoming.on("data", (piece: Buffer) => {
    came += piece.length;
    if (came >= afterBytes) incoming.socket.destroy();
  });
}

function answerInstead(
  incoming: IncomingMessage,
  answer: ServerResponse,
  { status, body }: { readonly status: number; readonly body: string },
): void {
  incoming.resume();
  incoming.once("end", () => {
    answer.writeHead(status, { "content-type": "application/xml" });
    answer.end(body);
  });
}
