import type { WebSocket } from "ws";

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
