import { expect, test } from "vitest";
import { RunningRelay } from "../running-relay.ts";
import { importerCall } from "./importer-call.ts";
import { manifestOf } from "../../manifest-of.ts";

test("[S2][S6] once a lease has ended after five minutes, its package can be withdrawn", async () => {
  await using relay = await RunningRelay.start();
  const { importer, token } = await relay.paired();
  const id = await relay.send(token);
  const { take, list } = importerCall(relay, importer.token, id);
  expect((await take()).json.expires_in).toBe(300);
  relay.clock.pass(300);
  expect((await list())[0].taken).toBe(false);
  expect((await relay.call("DELETE", `/packages/${id}`, { token })).status).toBe(200);
});

test("[S6] an expired package can be withdrawn", async () => {
  await using relay = await RunningRelay.start();
  const { token } = await relay.paired();
  const { package_id: id } = await relay.announce(token, manifestOf(["a.wav"]));
  relay.clock.pass(3600);
  expect((await relay.call("DELETE", `/packages/${id}`, { token })).status).toBe(200);
});

test("[S8] a long poll is answered at once when the relay stops", async () => {
  await using relay = await RunningRelay.start();
  const { token } = await relay.paired();
  const id = await relay.send(token);
  const listening = Promise.withResolvers<void>();
  const { notifier } = relay.relay.context;
  const listen = notifier.listen.bind(notifier);
  notifier.listen = (topic, listener) => {
    if (topic === `package:${id}`) listening.resolve();
    return listen(topic, listener);
  };
  const stopped = relay.call("GET", `/packages/${id}/status?wait=30`, { token });
  await listening.promise;
  await relay.stop();
  expect((await stopped).json.status).toBe("waiting");
});
