import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { relayWithPage } from "./page-at-work.ts";

// A stopping relay gives running calls ten seconds; this test must not need them.
test("[G1] connections that a browser preopened don't delay a stopping relay", async () => {
  const relay = await relayWithPage();
  const ahead = connect(Number(new URL(relay.url).port), "127.0.0.1");
  ahead.on("error", () => {});
  await once(ahead, "connect");
  // Another call makes sure that the relay has seen the connection.
  expect((await relay.call("GET", "/")).status).toBe(200);
  await Promise.all([relay.stop(), once(ahead, "close")]);
}, 8000);
