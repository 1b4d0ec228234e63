import { Agent } from "node:http";
import { NotificationSocket } from "../../../addon/relay/notification-socket.ts";
import { REAL_TIMERS } from "../../../addon/timers.ts";
import { SOCKET_PATH } from "../../../relay/http/socket.ts";
import { answerCalls } from "./answer-calls.ts";

/** Number of importers that share a client address, as in a household or an office. */
const PER_ADDRESS = 50;
/** At the same time. */
const REGISTERING = 50;

/** Number of connections that all sockets made, and the time of the latest, in milliseconds since 1970. */
let connected = 0;
let latestAt = 0;
let refused = 0;
let open = 0;
let heard = 0;

/** Registers importers and holds one notification socket for each, as the importer does. */
export const socketsCalls = {
  start: async ({ url, count }: { readonly url: string; readonly count: number }) => {
    const tokens: string[] = [];
    const register = async () => {
      while (tokens.length < count) {
        const index = tokens.push("") - 1;
        tokens[index] = await registerOne(url);
      }
    };
    await Promise.all(Array.from({ length: REGISTERING }, register));
    for (const [index, token] of tokens.entries()) {
      hold(url, token, index);
      // As importers do, which don't all start at once.
      if (index % PER_ADDRESS === 0) await untilSettled(index - PER_ADDRESS);
    }
    await untilSettled(count);
  },
  /** Returns the counts since the last reset. */
  counts: () => ({ connected, latestAt, refused, open, heard }),
  reset: () => {
    connected = 0;
    latestAt = 0;
    refused = 0;
    heard = 0;
  },
};
export type SocketsCalls = typeof socketsCalls;

async function registerOne(url: string): Promise<string> {
  const answer = await fetch(`${url}/importer/register`, { method: "POST" });
  const body: unknown = await answer.json();
  if (typeof body === "object" && body !== null && "importer_token" in body) {
    return String(body.importer_token);
  }
  throw new Error(`A registration was answered ${answer.status}: ${JSON.stringify(body)}`);
}

function hold(url: string, token: string, index: number): void {
  const network = Math.floor(index / PER_ADDRESS);
  const localAddress = `127.${1 + Math.floor(network / 250)}.${1 + (network % 250)}.1`;
  const agent = new Agent({ localAddress });
  let isOpen = false;
  const socket = new NotificationSocket({
    prepare: async () => ({
      url: `${url.replace("http", "ws")}${SOCKET_PATH}`,
      headers: { authorization: `Bearer ${token}` },
      agent,
    }),
    onConnected: () => {
      isOpen = true;
      open += 1;
      connected += 1;
      latestAt = Date.now();
    },
    onNotification: () => {
      heard += 1;
    },
    onLost: () => {
      if (isOpen) open -= 1;
      else refused += 1;
      isOpen = false;
    },
    timers: REAL_TIMERS,
    random: Math.random,
  });
  socket.connect();
}

async function untilSettled(count: number): Promise<void> {
  // oxlint-disable-next-line no-unmodified-loop-condition -- the sockets' listeners change it
  while (open < count) await new Promise((resolve) => setTimeout(resolve, 5));
}

answerCalls(socketsCalls);
