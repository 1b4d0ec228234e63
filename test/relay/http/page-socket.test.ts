import { once } from "node:events";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { RunningRelay } from "../running-relay.ts";
import { messagesOf } from "./open-socket.ts";
import { soon } from "../../sim/soon.ts";

/** Opens a socket as a page does, which can't send the token in a header. Resolves with its status if it is refused. */
async function openFromPage(
  relay: RunningRelay,
  protocols: readonly string[],
  headers: Record<string, string> = { origin: relay.url },
): Promise<WebSocket | number> {
  const url = `${relay.url.replace("http", "ws")}/importer/socket`;
  const socket = new WebSocket(url, [...protocols], { headers });
  const refused = once(socket, "unexpected-response").then(([, { statusCode }]) => {
    socket.terminate();
    return Number(statusCode);
  });
  socket.on("error", () => undefined);
  return Promise.race([once(socket, "open").then(() => socket), refused]);
}

test("[I3] a page of the relay's own sends the token as a subprotocol, and is answered without it", async () => {
  await using relay = await RunningRelay.start();
  const { importer, token } = await relay.paired();
  const socket = await openFromPage(relay, ["soundferry", `bearer.${importer.token}`]);
  if (typeof socket === "number") throw new Error(`The socket is refused with ${socket}.`);
  expect(socket.protocol).toBe("soundferry");
  const messages = messagesOf(socket);
  await relay.call("POST", "/app/unpair", { token });
  await soon(() => messages).toContain('{"type":"apps.changed"}');
  socket.terminate();
});

test("[I3][C3] pages of other origins, apps' tokens and half of the subprotocols get no socket", async () => {
  await using relay = await RunningRelay.start();
  const { importer, token } = await relay.paired();
  const both = ["soundferry", `bearer.${importer.token}`];
  const { port } = new URL(relay.url);
  for (const origin of [
    "https://elsewhere.example",
    `http://localhost:${Number(port) + 1}`,
    `http://127.0.0.1:${port}.elsewhere.example`,
    "null",
    "not an origin",
  ]) {
    expect(await openFromPage(relay, both, { origin }), origin).toBe(401);
  }
  expect(await openFromPage(relay, both, {})).toBe(401);
  expect(await openFromPage(relay, [`bearer.${importer.token}`])).toBe(401);
  expect(await openFromPage(relay, ["soundferry"])).toBe(401);
  expect(await openFromPage(relay, ["soundferry", `bearer.${token}`])).toBe(401);
});

test("[I3][A1] a token in a subprotocol is in no log line, also when it is refused", async () => {
  await using relay = await RunningRelay.start();
  const { importer } = await relay.paired();
  const both = ["soundferry", `bearer.${importer.token}`];
  const socket = await openFromPage(relay, both);
  if (typeof socket !== "number") socket.terminate();
  await openFromPage(relay, both, { origin: "https://elsewhere.example" });
  const log = relay.logLines.join("");
  expect(log).toContain("/importer/socket");
  expect(log).not.toContain(importer.token);
});
