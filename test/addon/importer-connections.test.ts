import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { Cutter } from "../sim/cutter.ts";
import { importerAtWork } from "./importer-at-work.ts";
import type { StandInRelay } from "./relay/stand-in-relay.ts";
import { until } from "../sim/until.ts";
import {
  isConnected,
  pairApp,
  relayNamed,
  started,
  takePlaceOf,
  tokensAt,
  connected,
} from "./named-relays.ts";

/** Starts a proxy; when it is aimed at another relay, open connections stay with the earlier one. */
async function startFront(first: StandInRelay) {
  const front = await Cutter.to(first.url);
  onTestFinished(() => front[Symbol.asyncDispose]());
  return front;
}

test("[P9] a keep-alive connection that ended is not replaced with a token before hello", async () => {
  const home = await relayNamed("home");
  const { importer } = await importerAtWork(home.url);
  await importer.apps();
  const other = await relayNamed("other");
  await takePlaceOf(home, other);
  await importer.apps();
  expect(other.calls.map(({ path }) => path)).toEqual([
    "/importer/hello",
    "/importer/hello",
    "/importer/register",
    "/importer/apps",
  ]);
});

test("[P9] nor while the notification socket is still open", async () => {
  const home = await relayNamed("home");
  const { importer } = await started(home.url);
  await until(() => isConnected(importer) && home.callsTo("GET", "/importer/packages").length > 0);
  await importer.apps();
  home.closeIdle();
  await setImmediate();
  home.calls.length = 0;
  await importer.apps();
  expect(home.calls.map(({ path }) => path)).toEqual([
    "/importer/hello",
    "/importer/hello",
    "/importer/apps",
  ]);
});

test("[P9] nor while an earlier connection is open and the next one leads to another relay", async () => {
  const home = await relayNamed("home");
  const other = await relayNamed("other");
  const front = await startFront(home);
  const { importer } = await importerAtWork(front.url);
  await importer.apps();
  home.intercept = ({ path }) => (path === "/importer/apps" ? "hang" : undefined);
  const hanging = importer.apps().catch(() => undefined);
  await until(() => home.callsTo("GET", "/importer/apps").length === 2);
  front.aimAt(other.url);
  await importer.packages();
  expect(tokensAt(home)).toEqual(["Bearer sfi_token-home-1"]);
  expect(tokensAt(other)).toEqual(["Bearer sfi_token-other-1"]);
  await importer.close();
  await hanging;
});

test("[P9] nor by the notification socket", async () => {
  const home = await relayNamed("home");
  const other = await relayNamed("other");
  const front = await startFront(home);
  other.intercept = ({ path }) => (path === "/importer/register" ? { status: 503 } : undefined);
  const { importer, timers } = await connected(front.url);
  front.aimAt(other.url);
  for (const socket of home.openSockets) socket.terminate();
  await until(() => !isConnected(importer));
  timers.advance(1000);
  await until(() => other.callsTo("POST", "/importer/register").length > 0);
  expect(tokensAt(other)).toEqual([]);
});

test("[P9] a server that ends each connection gets its own token", async () => {
  const home = await relayNamed("home");
  pairApp(home);
  home.endsEachConnection = true;
  const { importer } = await importerAtWork(home.url);
  expect((await importer.apps()).apps).toHaveLength(1);
  expect(tokensAt(home)).toEqual(["Bearer sfi_token-home-1"]);
});

test("[P9] a new identity connects also when the relay refuses the notification socket", async () => {
  const relay = await relayNamed("home");
  const { importer, timers } = await connected(relay.url);
  // A token that was never accepted gets no successor.
  await importer.apps();
  relay.devices.clear();
  for (const socket of relay.openSockets) socket.terminate();
  await until(() => importer.state.connection.status === "offline");
  timers.advance(1000);
  await until(() => importer.state.connection.newBecause === "forgotten");
  // How many attempts there are by now depends on which answer came first.
  await until(() => {
    timers.advance(2000);
    return importer.state.connection.status === "connected";
  });
  expect(relay.devices.size).toBe(1);
});
