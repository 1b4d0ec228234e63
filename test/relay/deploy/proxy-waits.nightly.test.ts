import { once } from "node:events";
import { describe, test } from "vitest";
import { WebSocket } from "ws";
import { MAX_WAIT_SECONDS } from "../../../core/limits.ts";
import { RunningRelay } from "../running-relay.ts";
import { smallWav } from "../../wav-bytes.ts";
import { callThrough } from "./call-through.ts";
import { PROXIES } from "./proxies.ts";
import { CA, startProxy } from "./running-proxy.ts";
import { manifestOf } from "../../manifest-of.ts";

// At the same time, because each waits for half a minute.
describe.concurrent.for(PROXIES)("$name", (proxy) => {
  describe.skipIf(!proxy.isInstalled)(`(needs ${proxy.name})`, () => {
    test("[K14] a long-poll is held as long as the relay holds it, and a socket past its ping", async ({
      expect,
      // Not the one that is imported: that is the hook of whichever test began last.
      onTestFinished,
    }) => {
      const relay = await RunningRelay.start({ SOUNDFERRY_TRUST_PROXY: "127.0.0.1" });
      onTestFinished(() => relay[Symbol.asyncDispose]());
      const through = await startProxy(proxy, Number(new URL(relay.url).port));
      onTestFinished(() => through[Symbol.asyncDispose]());
      const { importer, token } = await relay.paired();
      const { package_id: id, upload } = await relay.announce(token, manifestOf(["kick.wav"]));
      const poll = (known: string) =>
        callThrough(
          `${through.url}/packages/${id}/status?wait=${MAX_WAIT_SECONDS}&known=${known}`,
          { token },
        );

      const socket = new WebSocket(`wss://localhost:${through.port}/importer/socket`, {
        ca: CA,
        headers: { authorization: `Bearer ${importer.token}` },
      });
      onTestFinished(() => socket.terminate());
      const pinged = once(socket, "ping");
      await once(socket, "open");
      // Nothing changes, so the relay answers when the time is over.
      const held = await poll("uploading");
      expect([held.status, JSON.parse(held.text).status]).toEqual([200, "uploading"]);
      await pinged;

      const changes = poll("uploading");
      const notified = once(socket, "message");
      await relay.call("PUT", upload["kick.wav"] ?? "", { token, body: smallWav() });
      await relay.call("POST", `/packages/${id}/commit`, { token });
      expect(String((await notified)[0])).toContain("packages.changed");
      const changed = await changes;
      expect([changed.status, JSON.parse(changed.text).status]).toEqual([200, "waiting"]);
    });
  });
});
