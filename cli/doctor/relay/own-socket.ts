import { WebSocket } from "ws";
import { IMPORTER_HEADERS } from "../../../addon/relay/open-calls.ts";
import { parseSocketMessage } from "../../../core/importer/relay-answers.ts";
import { networkTrouble } from "../../../addon/relay/relay-errors.ts";
import type { SocketMessage } from "../../../core/protocol/importer-api.ts";
import type { OwnComputer } from "./own-computer.ts";
import type { Visit } from "./visit.ts";

/** The importer's WebSocket of doctor's own computer (rule I3). */
export class OwnSocket implements Disposable {
  readonly #socket: WebSocket;
  readonly #heard = new Set<SocketMessage["type"]>();
  #pings = 0;
  #isClosed = false;
  #wake = () => {};

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (bytes) => {
      const message = parseSocketMessage(Buffer.isBuffer(bytes) ? bytes.toString("utf8") : "");
      if (message !== undefined) this.#heard.add(message.type);
      this.#wake();
    });
    socket.on("ping", () => {
      this.#pings += 1;
      this.#wake();
    });
    socket.on("close", () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  /** @throws {Error} whose message says how the upgrade ended */
  static async open({ http, waits, signal }: Visit, computer: OwnComputer): Promise<OwnSocket> {
    const { instance, token } = computer.credential;
    const socket = new WebSocket(http.socketUrl("/importer/socket"), {
      headers: { ...IMPORTER_HEADERS, authorization: `Bearer ${token}` },
      agent: http.agentTo(instance),
      handshakeTimeout: waits.answerMs,
      perMessageDeflate: false,
    });
    const own = new OwnSocket(socket);
    const stop = () => socket.terminate();
    signal.addEventListener("abort", stop, { once: true });
    socket.once("close", () => signal.removeEventListener("abort", stop));
    await new Promise<void>((resolve, reject) => {
      socket.once("open", resolve);
      socket.on("unexpected-response", (request, { statusCode }) => {
        reject(new Error(`It is answered with ${statusCode}.`));
        request.destroy();
      });
      socket.on("error", (error) => reject(networkTrouble(error, http.host)));
      socket.on("close", () => reject(new Error("It is closed.")));
    });
    return own;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get pings(): number {
    return this.#pings;
  }

  /** Checks whether a message of this type has arrived. */
  hasHeard(type: SocketMessage["type"]): boolean {
    return this.#heard.has(type);
  }

  /** Resolves with whether `fits` was true before `timeoutMs` were over and before the WebSocket closed. */
  async until(fits: () => boolean, timeoutMs: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), timeoutMs);
    this.#wake = () => {
      if (fits()) resolve(true);
      else if (this.#isClosed) resolve(false);
    };
    this.#wake();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#wake = () => {};
    }
  }

  [Symbol.dispose](): void {
    this.#socket.terminate();
  }
}
