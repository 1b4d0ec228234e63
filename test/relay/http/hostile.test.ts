import { createConnection, type Socket } from "node:net";
import { expect, test } from "vitest";
import { RunningRelay } from "../running-relay.ts";
import { manifestOf } from "../../manifest-of.ts";

test("[E1] 500 connections that send half a header and wait do not block others (slowloris)", async () => {
  await using relay = await RunningRelay.start();
  const { port, hostname } = new URL(relay.url);
  const idle: Socket[] = [];
  try {
    await Promise.all(
      Array.from({ length: 500 }, () => {
        const socket = createConnection(Number(port), hostname);
        socket.on("error", () => undefined);
        idle.push(socket);
        return new Promise<void>((resolve) => {
          socket.write("POST /pair/claim HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", () => resolve());
        });
      }),
    );
    const { token } = await relay.paired();
    const id = await relay.send(token);
    expect((await relay.status(token, id)).status).toBe("waiting");
  } finally {
    for (const socket of idle) socket.destroy();
  }
});

test("[M3] hostile names in paths and manifests do no harm", async () => {
  await using relay = await RunningRelay.start();
  const { token } = await relay.paired();
  const { package_id: id } = await relay.announce(token, manifestOf(["a.wav"]));
  for (const name of [
    "..%2f..%2fetc%2fpasswd",
    "%00.wav",
    "__proto__",
    "constructor",
    "%2e%2e%2f",
    "CON.wav",
    "%E2%80%AEgpj.wav",
  ]) {
    const answer = await relay.call("PUT", `/packages/${id}/files/${name}`, { token, body: "x" });
    expect([404, 422], name).toContain(answer.status);
  }
  for (const path of [
    "/packages/__proto__/status",
    "/packages/%00/status",
    "/packages/../status",
  ]) {
    expect((await relay.call("GET", path, { token })).status).toBe(404);
  }
  expect((await relay.call("GET", "/healthz")).status).toBe(200);
});
