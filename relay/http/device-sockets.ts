import type { WebSocket } from "ws";
import { MAX_SOCKETS_PER_DEVICE } from "../../core/quotas/budgets.ts";
import type { Admission, Held } from "../domain/admission/budgets.ts";
import type { Caller } from "../domain/caller.ts";

/** The device has opened further sockets. */
const REPLACED = 4409;
/** Others need the room (registered with RFC 6455: try again later). */
const TRY_LATER = 1013;
const CLOSING_MS = 1000;

/** Who holds which sockets (rule L6). */
export class DeviceSockets {
  readonly #admission: Admission;
  /** By device, the oldest first. */
  readonly #open = new Map<string, Map<WebSocket, Held>>();

  constructor(admission: Admission) {
    this.#admission = admission;
  }

  /**
   * Makes room for one more: a device that has all that it may have loses its oldest one.
   * @throws {Refusal} 429 TOO_MUCH_AT_ONCE, 503 BUSY
   */
  reserve(caller: Caller): ReservedSocket {
    const { deviceId = "" } = caller;
    const sockets = this.#open.get(deviceId);
    const [oldest] = sockets?.keys() ?? [];
    if (oldest !== undefined && (sockets?.size ?? 0) >= MAX_SOCKETS_PER_DEVICE) {
      this.#end(deviceId, oldest, REPLACED);
    }
    let filled: WebSocket | undefined;
    const held = this.#admission.take("sockets", caller, 1, () => {
      if (filled !== undefined) this.#end(deviceId, filled, TRY_LATER);
    });
    return {
      fill: (socket) => {
        filled = socket;
        const own = this.#open.get(deviceId) ?? new Map<WebSocket, Held>();
        this.#open.set(deviceId, own.set(socket, held));
        socket.once("close", () => this.#forget(deviceId, socket));
      },
      [Symbol.dispose]: () => held[Symbol.dispose](),
    };
  }

  /** Whoever doesn't take the reason is disconnected without it. */
  #end(deviceId: string, socket: WebSocket, code: number): void {
    this.#forget(deviceId, socket);
    socket.close(code);
    setTimeout(() => socket.terminate(), CLOSING_MS).unref();
  }

  #forget(deviceId: string, socket: WebSocket): void {
    const sockets = this.#open.get(deviceId);
    sockets?.get(socket)?.[Symbol.dispose]();
    sockets?.delete(socket);
    if (sockets?.size === 0) this.#open.delete(deviceId);
  }
}

/** Room for a socket. Dispose it if there will be none. */
interface ReservedSocket extends Disposable {
  /** The socket has the room until it closes. */
  fill(socket: WebSocket): void;
}
