import type { WebSocket, WebSocketServer } from "ws";
import { MAX_SOCKETS_PER_DEVICE } from "../../core/quotas/budgets.ts";
import type { Admission, Permit } from "../domain/admission/budgets.ts";
import type { Caller } from "../domain/caller.ts";
import type { Draining } from "./draining.ts";

/** Close code when the device has opened further sockets. */
const REPLACED = 4409;
/** Close code when others need the room (registered with RFC 6455: try again later). */
const TRY_LATER = 1013;
const CLOSING_MS = 1000;

/** The sockets of each device (rule L6). */
export class DeviceSockets {
  readonly #admission: Admission;
  /** The open sockets by device, the oldest first. */
  readonly #open = new Map<string, Map<WebSocket, Permit>>();

  constructor(admission: Admission) {
    this.#admission = admission;
  }

  /**
   * Makes room for one more socket. A device that has reached its limit loses its oldest socket.
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
        const own = this.#open.get(deviceId) ?? new Map<WebSocket, Permit>();
        this.#open.set(deviceId, own.set(socket, held));
        socket.once("close", () => this.#forget(deviceId, socket));
      },
      [Symbol.dispose]: () => held[Symbol.dispose](),
    };
  }

  /** Closes a socket with a reason. If the other side doesn't take it, the socket is ended without. */
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

/** Room for a socket. Dispose it if the socket never opens. */
interface ReservedSocket extends Disposable {
  /** Gives the room to the socket until it closes. */
  fill(socket: WebSocket): void;
}

/** The most frames between two pings of the relay. An importer sends nothing but pongs; more frames end its socket. */
const MAX_RECEIVED = 60;
const TOO_CHATTY = 1008;

/** Ends sockets that send too many frames (rule L6). */
export class ChattySockets {
  /** Number of frames since the relay's last ping. */
  readonly #received = new WeakMap<WebSocket, number>();

  watch(socket: WebSocket): void {
    const count = () => {
      const received = (this.#received.get(socket) ?? 0) + 1;
      this.#received.set(socket, received);
      if (received <= MAX_RECEIVED) return;
      socket.close(TOO_CHATTY);
      socket.terminate();
    };
    socket.on("message", count).on("ping", count).on("pong", count);
  }

  /** Starts counting again. Call it with each ping of the relay. */
  pinged(socket: WebSocket): void {
    this.#received.delete(socket);
  }
}

/** Close codes of a relay that stops (RFC 6455 §7.4.1, and the registry of IANA). */
const GOING_AWAY = 1001;
const RESTARTING = 1012;

/** All importers' sockets. */
export interface Sockets {
  /** Number of open sockets. */
  readonly count: number;
  /** Closes each socket at a random time within `Draining.holdMs`, so that importers don't all return at once (K11). */
  drain(): void;
  close(): void;
  /** Ends the connections of sockets that don't answer the closing. */
  terminate(): void;
}

/** @param beforeClose called when all are closed */
export function socketsOf(
  server: WebSocketServer,
  draining: Draining,
  beforeClose: () => void,
): Sockets {
  const closings = new Set<() => void>();
  draining.addBusy(() => closings.size > 0);
  return {
    get count() {
      return server.clients.size;
    },
    drain: () => {
      for (const socket of server.clients) {
        const cancel = draining.timers.after(Math.random() * draining.holdMs, () => {
          closings.delete(cancel);
          socket.close(RESTARTING);
        });
        closings.add(cancel);
      }
    },
    close: () => {
      beforeClose();
      for (const cancel of closings) cancel();
      const code = draining.isDraining ? RESTARTING : GOING_AWAY;
      for (const socket of server.clients) socket.close(code);
      server.close();
    },
    terminate: () => {
      for (const socket of server.clients) socket.terminate();
    },
  };
}
