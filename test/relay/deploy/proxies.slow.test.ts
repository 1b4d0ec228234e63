import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { bigManifest, bigWav, LARGEST_BYTES } from "../../bench/big-wav.ts";
import { MAX_JSON_BYTES } from "../../../core/limits.ts";
import { refusal } from "../../../core/protocol/refusal.ts";
import type { Change } from "../../engines/shipped-file.ts";
import { REFUSED_HANDSHAKE, shakeHands } from "../http/shake-hands.ts";
import { RunningRelay } from "../running-relay.ts";
import { callThrough, postJson } from "./call-through.ts";
import { PROXIES, type Proxy } from "./proxies.ts";
import { CA, type RunningProxy, startProxy } from "./running-proxy.ts";
import { soon } from "../../sim/soon.ts";
import { manifestOf } from "../../manifest-of.ts";

const BEHIND = {
  SOUNDFERRY_TRUST_PROXY: "127.0.0.1,::1",
  SOUNDFERRY_BASE_URL: "https://relay.example.com",
  SOUNDFERRY_LOG_ADDRESSES: "full",
  SOUNDFERRY_METRICS_PORT: "0",
};

/** A relay behind the proxy. */
async function behind(
  proxy: Proxy,
  { settings = {}, changes = [] as readonly Change[] } = {},
): Promise<{ readonly relay: RunningRelay; readonly through: RunningProxy }> {
  const relay = await RunningRelay.start({ ...BEHIND, ...settings });
  onTestFinished(() => relay[Symbol.asyncDispose]());
  const through = await startProxy(proxy, Number(new URL(relay.url).port), changes);
  onTestFinished(() => through[Symbol.asyncDispose]());
  return { relay, through };
}

async function bytesIn({ metricsUrl = "" }: RunningRelay): Promise<number> {
  const shown = await (await fetch(metricsUrl)).text();
  return Number(/^soundferry_sound_bytes_total\{direction="in"\} (\d+)/m.exec(shown)?.[1] ?? 0);
}

describe.for(PROXIES)("$name", (proxy) => {
  describe.skipIf(!proxy.isInstalled)(`(needs ${proxy.name})`, () => {
    test("[K14] a package of 200 MB passes through, while it is being sent, and back", async () => {
      const { relay, through } = await behind(proxy);
      const { importer, token } = await relay.paired();
      const manifest = bigManifest(1, LARGEST_BYTES);
      const { package_id: id, upload } = await relay.announce(token, manifest);
      let sent = 0;
      async function* pieces(): AsyncIterable<Uint8Array> {
        for (const piece of bigWav(LARGEST_BYTES)) {
          sent += piece.byteLength;
          yield piece;
          // The rest is sent only once the relay has most of the first half.
          if (sent > LARGEST_BYTES / 2 && sent - piece.byteLength <= LARGEST_BYTES / 2) {
            await soon(() => bytesIn(relay)).toBeGreaterThan(LARGEST_BYTES / 4);
          }
        }
      }
      const put = await callThrough(through.url + Object.values(upload).join(""), {
        method: "PUT",
        token,
        headers: { "content-length": LARGEST_BYTES },
        body: pieces(),
      });
      expect([put.status, put.text]).toEqual([200, expect.any(String)]);
      expect(sent).toBe(LARGEST_BYTES);
      const committed = await postJson(`${through.url}/packages/${id}/commit`, {}, { token });
      expect(committed.status).toBe(200);

      await relay.call("POST", `/importer/packages/${id}/take`, { token: importer.token });
      const digest = createHash("sha256");
      const { file, sha256 } = manifest.items[0] ?? {};
      const got = await callThrough(`${through.url}/importer/packages/${id}/files/${file}`, {
        token: importer.token,
        onPiece: (piece) => void digest.update(piece),
      });
      expect([got.status, digest.digest("hex")]).toEqual([200, sha256]);
    });

    test("[K14] what is too large is refused by the relay, in its words", async () => {
      const { relay, through } = await behind(proxy);
      const { token } = await relay.paired();
      const json = await callThrough(`${through.url}/packages`, {
        method: "POST",
        token,
        headers: { "content-length": MAX_JSON_BYTES + 1 },
        body: [Buffer.from("{"), Buffer.alloc(MAX_JSON_BYTES, " ")],
        waitsAfterFirst: true,
      });
      expect([json.status, JSON.parse(json.text).code]).toEqual([413, "BODY_TOO_LARGE"]);

      const { upload } = await relay.announce(token, bigManifest(1, 1_000_000));
      const wav = await callThrough(through.url + Object.values(upload).join(""), {
        method: "PUT",
        token,
        headers: { "content-length": LARGEST_BYTES + 4 },
        body: bigWav(LARGEST_BYTES + 4),
        waitsAfterFirst: true,
      });
      expect(JSON.parse(wav.text)).toMatchObject({
        code: expect.any(String),
        error: expect.any(String),
      });
      expect([wav.status, wav.headers["x-request-id"]]).toEqual([422, expect.any(String)]);
    });

    test("[K14] an address that a client makes up is not believed", async () => {
      const settings = { SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "3" };
      const { relay, through } = await behind(proxy, { settings });
      const statuses: number[] = [];
      for (let at = 0; at < 6; at += 1) {
        const madeUp = `203.0.113.${at}`;
        const headers = {
          "x-forwarded-for": madeUp,
          forwarded: `for=${madeUp}`,
          "x-real-ip": madeUp,
        };
        const claim = { code: "ABCDEF", app_name: "Guesser", app_id: `app-${at}` };
        statuses.push((await postJson(`${through.url}/pair/claim`, claim, { headers })).status);
      }
      expect(statuses).toEqual([404, 404, 404, 429, 429, 429]);
      expect(relay.logLines.join("")).toContain('"127.0.0.1"');
      expect(relay.logLines.join("")).not.toContain("203.0.113.");
    });

    test("[K14] a name of its own reaches the relay, its metrics don't leave", async () => {
      const { through } = await behind(proxy);
      const headers = { host: `localhost:${through.port}` };
      const hello = await callThrough(`${through.url}/importer/hello`, { headers });
      expect([hello.status, JSON.parse(hello.text).service]).toEqual([200, "soundferry"]);
      const metrics = await callThrough(`${through.url}/metrics`);
      expect([metrics.status, metrics.headers["x-request-id"]]).toEqual([404, undefined]);
    });

    test("[K14] who never finishes the headers is disconnected", async () => {
      const { through } = await behind(proxy, { changes: [proxy.hastyHeaders] });
      const slow = connectTls({
        port: through.port,
        host: "127.0.0.1",
        servername: "localhost",
        ca: CA,
      });
      await once(slow, "secureConnect");
      slow.on("error", () => undefined);
      slow.write("GET /healthz HTTP/1.1\r\nHost: local");
      slow.resume();
      await once(slow, "close");
      expect((await callThrough(`${through.url}/healthz`)).status).toBe(200);
    });

    test("[SEC4] a client that has only weak suites or an old TLS is refused", async () => {
      const { through } = await behind(proxy);
      for (const suite of ["ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-AES256-SHA"]) {
        const offer = { ciphers: `${suite}:@SECLEVEL=0`, maxVersion: "TLSv1.2" } as const;
        expect(await shakeHands(through, offer), suite).toBe(REFUSED_HANDSHAKE);
      }
      const old = { minVersion: "TLSv1.1", maxVersion: "TLSv1.1" } as const;
      const offer = { ...old, ciphers: "DEFAULT:@SECLEVEL=0" };
      expect(await shakeHands(through, offer)).toMatch(/PROTOCOL_VERSION/);
      expect(await shakeHands(through, { maxVersion: "TLSv1.2" })).toMatch(/ECDHE-ECDSA-.*GCM/);
      expect(await shakeHands(through, {})).toMatch(/^TLSv1.3 /);
    });

    test("[SEC5] it asks browsers for https for a year, of its own name alone, with every answer", async () => {
      const { through } = await behind(proxy);
      for (const [path, status] of [
        ["/healthz", 200],
        ["/app/me", 401],
        ["/nothing", 404],
      ] as const) {
        const { status: answered, headers } = await callThrough(through.url + path);
        expect([answered, headers["strict-transport-security"]]).toEqual([
          status,
          "max-age=31536000",
        ]);
      }
    });

    test("[K14] HTTP/2 works too", async () => {
      const { relay, through } = await behind(proxy);
      const { token } = await relay.paired();
      const size = 20_000_000;
      const { upload } = await relay.announce(token, bigManifest(1, size));
      const client = connectHttp2(through.url, { ca: CA });
      onTestFinished(() => client.destroy());
      const put = client.request({
        ":method": "PUT",
        ":path": Object.values(upload).join(""),
        authorization: `Bearer ${token}`,
        "content-length": size,
      });
      const answered = once(put, "response");
      for (const piece of bigWav(size)) if (!put.write(piece)) await once(put, "drain");
      put.end();
      const [headers] = await answered;
      expect([headers[":status"], await text(put)]).toEqual([200, expect.any(String)]);
    });
  });
});

const nginx = PROXIES.find(({ name }) => name === "nginx");

describe.skipIf(nginx?.isInstalled !== true)("nginx (needs nginx)", () => {
  test("[K14] too many calls at once of one address are refused in the relay's words", async () => {
    if (nginx === undefined) throw new Error("There is no nginx among the proxies.");
    const one: Change = ["limit_conn soundferry_calls 512;", "limit_conn soundferry_calls 1;"];
    const { relay, through } = await behind(nginx, { changes: [one] });
    const { token } = await relay.paired();
    const { package_id: id } = await relay.announce(token, manifestOf(["kick.wav"]));
    const held = callThrough(`${through.url}/packages/${id}/status?wait=30`, { token });
    await soon(() => relay.relay.context.admission.budget("polls").used).toBe(1);

    const refused = await callThrough(`${through.url}/healthz`);
    const { message, code } = refusal("TOO_MUCH_AT_ONCE", { seconds: 2 });
    expect([refused.status, JSON.parse(refused.text)]).toEqual([429, { error: message, code }]);
    expect(refused.headers).toMatchObject({
      "retry-after": "2",
      "access-control-allow-origin": "*",
    });

    await relay.call("DELETE", `/packages/${id}`, { token });
    expect((await held).status).toBe(404);
    expect((await callThrough(`${through.url}/healthz`)).status).toBe(200);
  });
});
