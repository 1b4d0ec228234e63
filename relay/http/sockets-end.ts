import type { WebSocketServer } from "ws";
import type { Draining } from "./draining.ts";

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
