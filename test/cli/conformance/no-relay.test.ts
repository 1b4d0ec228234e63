import { once } from "node:events";
import { createServer as createTcpServer, type AddressInfo, type Server } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished, test, expect } from "vitest";
import { runOnce } from "../run-soundferry.ts";
import { type AnswerBadly, HostileRelay } from "./hostile-relay.ts";

const TLS = join(import.meta.dirname, "../../relay/tls");

function saying(status: number, text: string, headers: object = {}): AnswerBadly {
  return (response) => void response.writeHead(status, { ...headers }).end(text);
}

test.each<[string, AnswerBadly, RegExp]>([
  ["a page", saying(200, "<!doctype html>\n<p>Hi"), /is not a relay: it answers 200 without/],
  ["another service", saying(200, '{"status":"ok"}'), /is not a relay: it answers 200/],
  ["its 404", saying(404, '{"error":"Not Found"}'), /is not a relay: it answers 404/],
  ["a list", saying(200, "[]"), /is not a relay: it answers 200/],
  ["status 999", saying(999, "{}"), /is not a relay: it answers 999/],
  [
    "a redirect",
    saying(301, "", { location: "https://new.example/importer/hello\u00AD" }),
    /redirects to https:\/\/new\.example\/.*\. Use that address\./,
  ],
  [
    "a redirect to what is no address",
    saying(302, "", { location: "http://[" }),
    /is not a relay: it answers 302/,
  ],
])("[Q8] what is no relay is said in one line: %s", async (_, answer, sentence) => {
  await using server = await HostileRelay.start({ answer: () => answer, greets: false });
  await expectLine(server.url, sentence);
  await expectLine(server.url, sentence, ["--only", "public", "--token", "sfa_x"]);
});

test("[Q8] a port that speaks otherwise is said in one line", async () => {
  const plain = await listen(createTcpServer((socket) => socket.end("SSH-2.0-OpenSSH\r\n")));
  await expectLine(`http://127.0.0.1:${plain}`, /No relay answers.*the answer isn't HTTP/);
  await expectLine(`https://127.0.0.1:${plain}`, /No relay answers.*it doesn't support https/);
  const [cert, key] = await Promise.all([
    readFile(join(TLS, "cert.pem")),
    readFile(join(TLS, "key.pem")),
  ]);
  const tls = await listen(createTlsServer({ cert, key }));
  await expectLine(`http://127.0.0.1:${tls}`, /No relay answers/);
  await expectLine(`https://127.0.0.1:${tls}`, /No relay answers.*certificate/);
});

test("[Q8] a port at which nothing listens is said in one line", async () => {
  await expectLine("http://127.0.0.1:1", /No relay answers.*ECONNREFUSED/);
  await expectLine("http://localhost:1", /No relay answers.*ECONNREFUSED/);
  await expectLine("http://no.such.host.invalid", /No relay answers/);
});

async function listen(server: Server): Promise<number> {
  server.on("tlsClientError", () => {});
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Expects exit status 1 and one line on stderr; with `--json` also the value on stdout. */
async function expectLine(url: string, sentence: RegExp, words: readonly string[] = []) {
  const command = ["conformance", "--relay", url, ...words];
  const ended = await runOnce(command);
  expect(ended).toMatchObject({ status: 1, stdout: "" });
  expect(ended.stderr).toMatch(sentence);
  expect(ended.stderr.trimEnd().split("\n")).toHaveLength(1);
  const json = await runOnce([...command, "--json"]);
  expect([json.status, json.stderr]).toEqual([1, ended.stderr]);
  expect(JSON.parse(json.stdout)).toEqual({ error: ended.stderr.trimEnd() });
}
