import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { RelayError } from "../../../core/importer/relay-errors.ts";
import { networkTrouble } from "../../../addon/relay/relay-errors.ts";
import { linkTo, startStandIn } from "./linked-client.ts";

/** The package as the relay lists it, without its files. */
const PACKAGE = {
  package_id: "pkg_1_____________________",
  status: "waiting",
  app_name: "Looper",
  manifest: {
    schema: "app2host/1",
    package_id: "pkg_1_____________________",
    title: "Kit",
    source: { app: "Looper" },
    items: [],
  },
  taken: false,
  created_at: "2026-11-21T12:00:00.000Z",
  committed_at: "2026-11-21T12:00:01.000Z",
  expires_at: "2026-11-22T12:00:01.000Z",
  expires_in: 86_400,
};

describe("checking for a relay", () => {
  test("[I4] hello needs no token and registers nothing", async () => {
    const relay = await startStandIn();
    expect(await linkTo(relay.url).client.hello()).toMatchObject({ service: "soundferry" });
    expect(relay.calls.map((call) => call.path)).toEqual(["/importer/hello"]);
    expect(relay.calls[0]?.headers.authorization).toBeUndefined();
  });

  test.each([
    ["a web page", { status: 200, body: "<html>Welcome</html>" }],
    ["a page that is not there", { status: 404, body: "<html>Not found</html>" }],
    ["another service", { status: 200, body: { service: "other", importer_api: [1] } }],
    ["no list of versions", { status: 200, body: { service: "soundferry" } }],
  ])("[I4] %s isn't a relay", async (_, reply) => {
    const relay = await startStandIn();
    relay.intercept = () => reply;
    await expect(linkTo(relay.url).client.hello()).rejects.toThrow(/is not a Soundferry relay/);
  });

  test("[I4] a relay that speaks only newer versions asks for an update of the importer, an older one of itself", async () => {
    const relay = await startStandIn();
    relay.importerApi = [3, 4];
    await expect(linkTo(relay.url).client.hello()).rejects.toThrow(/Update Soundferry/);
    relay.importerApi = [0];
    await expect(linkTo(relay.url).client.hello()).rejects.toThrow(/relay at .* is too old/);
    relay.importerApi = [0, 1, 2];
    await expect(linkTo(relay.url).client.hello()).resolves.toBeDefined();
  });

  test("[I4] the sentence of a 426 is passed on as it is", async () => {
    const relay = await startStandIn();
    const error = "This version is too old for the relay. Update Soundferry in Live.";
    relay.intercept = () => ({ status: 426, body: { error, code: "IMPORTER_TOO_OLD" } });
    const { client } = linkTo(relay.url);
    const expected = { status: 426, code: "IMPORTER_TOO_OLD", message: error };
    await expect(client.hello()).rejects.toMatchObject(expected);
    await expect(client.pairingCode()).rejects.toMatchObject(expected);
  });
});

describe("network errors", () => {
  test("nothing listens", async () => {
    const relay = await startStandIn();
    await relay.stop();
    const { client, http } = linkTo(relay.url);
    await expect(client.hello()).rejects.toThrow(
      `Nothing answers at ${http.host}. Is the relay running?`,
    );
    await expect(client.hello()).rejects.toMatchObject({ status: undefined });
  });

  test("an answer that never comes, and one that never ends", async () => {
    const relay = await startStandIn();
    relay.intercept = () => "hang";
    const { client, http } = linkTo(relay.url, { answerDeadlineMs: 50 });
    await expect(client.hello()).rejects.toThrow(/did not answer in time/);
    relay.intercept = () => ({ status: 200, headers: { "content-length": "9" }, body: "{" });
    // The stand-in leaves the connection of such a call open.
    const call = { method: "GET", path: "/importer/hello", maxAnswerBytes: 9 };
    await expect(http.call(call)).rejects.toThrow(/did not answer in time/);
  });

  test("a connection that is cut", async () => {
    const relay = await startStandIn();
    relay.intercept = () => "cut";
    await expect(linkTo(relay.url).client.hello()).rejects.toThrow(/was lost/);
  });

  test("an endless answer isn't buffered", async () => {
    const relay = await startStandIn();
    relay.intercept = () => ({ status: 200, body: Buffer.alloc(1_048_577, " ") });
    await expect(linkTo(relay.url).client.hello()).rejects.toThrow(/is too long\./);
  });

  test("a server that doesn't speak HTTP", async () => {
    const server = createServer((socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n"));
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { client } = linkTo(`http://127.0.0.1:${port}`);
    await expect(client.hello()).rejects.toThrow(/is not a Soundferry relay/);
    const secure = linkTo(`https://127.0.0.1:${port}`);
    await expect(secure.client.hello()).rejects.toThrow(/doesn't support https/);
  });

  test.each([
    ["ENOTFOUND", /relay\.example can't be found/],
    ["CERT_HAS_EXPIRED", /certificate of relay\.example has expired/],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", /isn't trusted/],
    ["ERR_TLS_CERT_ALTNAME_INVALID", /belongs to another address/],
    ["ENETUNREACH", /relay\.example can't be reached from here/],
    ["EWEIRD", /can't be reached \(EWEIRD\)/],
  ])("%s becomes a sentence", (code, words) => {
    const error = Object.assign(new Error("gibberish"), { code });
    expect(networkTrouble(error, "relay.example").message).toMatch(words);
  });
});

describe("a relay's refusal", () => {
  test("[E3] its sentence, its code and how long to wait", async () => {
    const relay = await startStandIn();
    const body = { error: "Too many calls. Try again in 7 s.", code: "CALLS_TOO_MANY" };
    relay.intercept = () => ({ status: 429, headers: { "retry-after": "7" }, body });
    const refused = linkTo(relay.url).client.apps();
    await expect(refused).rejects.toBeInstanceOf(RelayError);
    await expect(refused).rejects.toMatchObject({
      status: 429,
      code: "CALLS_TOO_MANY",
      retryAfterSeconds: 7,
      message: "Too many calls. Try again in 7 s.",
    });
  });

  test("without a JSON body, the sentence depends on the status", async () => {
    const relay = await startStandIn();
    for (const isForeign of [true, false]) {
      relay.intercept = () => ({ status: 502, body: "<html>Bad gateway</html>", isForeign });
      await expect(linkTo(relay.url).client.hello()).rejects.toThrow(/has a problem \(502\)/);
    }
  });

  test("a relay that moved says where to", async () => {
    const relay = await startStandIn();
    const headers = { location: "https://new.example/" };
    relay.intercept = () => ({ status: 308, headers, isForeign: true });
    const { client } = linkTo(relay.url);
    await expect(client.hello()).rejects.toThrow(/https:\/\/new\.example\//);
    await expect(client.apps()).rejects.toThrow(/https:\/\/new\.example\//);
  });

  test("its text is safe for a terminal, and short", async () => {
    const relay = await startStandIn();
    const error = `\u001b[2J\u0007gone\n${"!".repeat(5000)}`;
    relay.intercept = () => ({ status: 500, body: { error } });
    const refused: unknown = await linkTo(relay.url)
      .client.apps()
      .catch((caught: unknown) => caught);
    const { message } = refused as Error;
    expect(message).toMatch(/^ \[2J gone !+…$/);
    expect(message).toHaveLength(200);
  });

  test.each([
    ["no list", {}],
    ["a list that is no list", { packages: {} }],
    ["a next page without a cursor", { packages: [], next: 7 }],
    ["a cursor without end", { packages: [], next: "a".repeat(5000) }],
  ])("an answer that lacks a required member is invalid: %s", async (_, body) => {
    const relay = await startStandIn();
    relay.intercept = ({ path }) =>
      path === "/importer/packages" ? { status: 200, body } : undefined;
    await expect(linkTo(relay.url).client.packages()).rejects.toThrow(/not a Soundferry relay/);
  });

  test("[I1] a list that has all of it is", async () => {
    const relay = await startStandIn();
    const listed = { packages: [{ ...PACKAGE, files: { "1.wav": "/f" }, more: true }] };
    relay.intercept = ({ path }) =>
      path === "/importer/packages" ? { status: 200, body: listed } : undefined;
    expect(await linkTo(relay.url).client.packages()).toEqual(listed);
  });
});
