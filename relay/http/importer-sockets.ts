import type { WebSocket, WebSocketServer } from "ws";
import { MAX_SOCKETS_PER_DEVICE } from "../../core/quotas/budgets.ts";
import type { Admission, Held } from "../domain/admission/budgets.ts";
import type { Caller } from "../domain/caller.ts";
import type { Draining } from "./draining.ts";

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

/** An importer sends nothing but pongs. More than so many frames between two pings of the relay end its socket. */
const MAX_RECEIVED = 60;
const TOO_CHATTY = 1008;

/** Ends sockets that talk all the time (rule L6). */
export class ChattySockets {
  /** Messages, pings and pongs since the relay's last ping. */
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

  /** Call it with each ping of the relay. */
  pinged(socket: WebSocket): void {
    this.#received.delete(socket);
  }
}

/** Close codes (RFC 6455 §7.4.1, and the registry of IANA). */
const GOING_AWAY = 1001;
const RESTARTING = 1012;

/** The importers' sockets, and how they end. */
export interface Sockets {
  /** How many are open. */
  readonly count: number;
  /** Closes each at a time of its own within `Draining.holdMs`, so that importers don't all return at once (K11). */
  drain(): void;
  close(): void;
  /** Ends the connections of those that don't answer the closing. */
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
