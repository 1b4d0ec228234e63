import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { createInterface } from "node:readline";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { serveControl } from "../../../addon/control/control-server.ts";
import { streamState } from "../../../addon/control/panel-routes.ts";
import type { ImporterState } from "../../../addon/state/importer-state.ts";
import type { PanelState } from "../../../core/protocol/panel-api.ts";
import { ManualTimers } from "../manual-timers.ts";
import { until } from "../../sim/until.ts";
import { SECRET } from "./ask.ts";
import { FULL_STATE, READ_AT_MS } from "./full-state.ts";

const PAUSE_MS = 50;
const BEAT_MS = 15_000;

/** An importer whose state a test changes, and the server that streams it. */
async function serveState() {
  const listeners = new Set<() => void>();
  const timers = new ManualTimers();
  const importer = {
    state: FULL_STATE,
    looks: 0,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    lookAtHost: async () => void importer.looks++,
    readFoldersAgain: () => undefined,
    watchers: 0,
    live: {
      watch: () => {
        importer.watchers += 1;
        return () => void (importer.watchers -= 1);
      },
    },
  };
  const change = (part: Partial<ImporterState>) => {
    importer.state = { ...importer.state, ...part };
    for (const listener of listeners) listener();
  };
  const options = { timers, now: () => READ_AT_MS };
  const server = await serveControl(
    [
      {
        method: "GET",
        path: "/state",
        handle: async (call) => streamState(call, importer, options),
      },
    ],
    { port: 0, secret: SECRET },
  );
  onTestFinished(() => server.close());
  return { server, importer, change, timers, listeners };
}

async function open(port: number): Promise<IncomingMessage> {
  const headers = { "x-soundferry-secret": SECRET };
  const calling = request({ host: "127.0.0.1", port, path: "/state", headers }).end();
  const [answer] = await once(calling, "response");
  return answer;
}

/** Collects the states as they come. */
function readStates(answer: IncomingMessage): PanelState[] {
  const states: PanelState[] = [];
  const lines = createInterface({ input: answer });
  lines.on("line", (line) => states.push(JSON.parse(line)));
  // It ends with the server, in the middle of the answer.
  lines.on("error", () => {});
  return states;
}

test("[N3] sends the state now and after each change, and merges simultaneous changes", async () => {
  const { server, change, timers } = await serveState();
  const answer = await open(server.port);
  expect(answer.headers).toMatchObject({
    "content-type": "application/x-ndjson",
    "cache-control": "no-store",
  });
  const states = readStates(answer);
  await until(() => states.length === 1);
  for (const deviceName of ["A", "B", "C"]) change({ deviceName });
  timers.advance(PAUSE_MS);
  await until(() => states.length === 2);
  timers.advance(PAUSE_MS);
  change({ deviceName: "D" });
  await until(() => states.length === 3);
  expect(states.map(({ deviceName }) => deviceName)).toEqual(["Studio", "C", "D"]);
});

test("[N3] shows now and then that it lives, and reads the host again", async () => {
  const { server, importer, timers } = await serveState();
  const states = readStates(await open(server.port));
  await until(() => states.length === 1);
  expect(importer.looks).toBe(1);
  timers.advance(BEAT_MS);
  await until(() => states.length === 2);
  timers.advance(BEAT_MS);
  await until(() => states.length === 3);
  expect(importer.looks).toBe(3);
});

test("[N3][H20] watches Live's control surface for as long as its reader stays", async () => {
  const { server, importer } = await serveState();
  const answer = await open(server.port);
  readStates(answer);
  expect(importer.watchers).toBe(1);
  answer.destroy();
  await until(() => importer.watchers === 0);
});

test("[N3] a slow reader misses states, but never the newest", async () => {
  const { server, change, timers } = await serveState();
  const answer = await open(server.port);
  const changes = 60;
  for (let each = 1; each <= changes; each++) {
    change({ deviceName: `${each} `.padEnd(500_000, "x") });
    timers.advance(PAUSE_MS);
    await setImmediate();
  }
  const states = readStates(answer);
  await until(() => states.at(-1)?.deviceName.startsWith(`${changes} `) === true);
  expect(states.length).toBeLessThan(changes);
});

test("[N3] ends when its reader disconnects", async () => {
  const { server, timers, listeners } = await serveState();
  const answer = await open(server.port);
  readStates(answer);
  expect(listeners.size).toBe(1);
  answer.destroy();
  await until(() => listeners.size === 0);
  expect(timers.remaining).toEqual([]);
});

test("[N3] nobody waits for it to end: not who waits for calls, not the server's closing", async () => {
  const { server, timers, listeners } = await serveState();
  const answer = await open(server.port);
  readStates(answer);
  await server.idle();
  await server.close();
  await until(() => listeners.size === 0);
  expect(timers.remaining).toEqual([]);
});
