import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createHttpsServer } from "node:https";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { expect, onTestFinished, test, vi } from "vitest";
import { withSslMode } from "../../../relay/store-tls.ts";
import { Connections } from "../../../relay/storage/postgres/connections.ts";
import { S3Bucket } from "../../../relay/storage/s3/s3-bucket.ts";
import { PATIENCE } from "../../../relay/storage/s3/s3-calls.ts";

const FOLDER = join(import.meta.dirname, "../tls");
const [cert, key] = ["cert.pem", "key.pem"].map((name) => readFileSync(join(FOLDER, name), "utf8"));
const CA = join(FOLDER, "cert.pem");

/**
 * Plays a PostgreSQL that somebody in between could play: with a certificate that nobody has signed, or without TLS.
 * Returns its port and everything that it got after the question for TLS.
 */
async function playPostgres(answer: "S" | "N") {
  const got: string[] = [];
  const server = createServer((socket: Socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write(answer);
      const line =
        answer === "N"
          ? socket
          : new TLSSocket(socket, { isServer: true, cert, key, ALPNProtocols: [] });
      line.on("error", () => {});
      line.on("data", (bytes) => {
        got.push(String(bytes));
        line.end();
      });
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  return { port: (server.address() as AddressInfo).port, got };
}

const open = (port: number, search: string) =>
  Connections.open({
    url: withSslMode(`postgres://relay:s3cret@localhost:${port}/relay?${search}`),
    onTrouble: () => {},
  });

test.each([
  ["S", "sslmode=verify-full", "self-signed certificate"],
  ["S", "sslmode=require", "self-signed certificate"],
  ["N", "sslmode=verify-full", "does not support SSL"],
  ["N", "sslmode=no-verify", "does not support SSL"],
] as const)(
  "[SEC3] a database that answers %s gets no name and no password with %s",
  async (answer, search, why) => {
    const { port, got } = await playPostgres(answer);
    await expect(open(port, search)).rejects.toThrow(why);
    expect(got).toEqual([]);
  },
);

test.each([
  ["an authority", `sslmode=verify-full&sslrootcert=${encodeURIComponent(CA)}`],
  ["sslmode=no-verify", "sslmode=no-verify"],
])("[SEC3] the same database gets them with %s", async (_what, search) => {
  const { port, got } = await playPostgres("S");
  await expect(open(port, search)).rejects.toThrow("can't be used");
  expect(got.join("")).toContain("relay");
});

/** Plays an S3 server with a certificate that nobody has signed, and counts the calls that reach it. */
async function playS3() {
  let calls = 0;
  const server = createHttpsServer({ cert, key }, (_request, answer) => {
    calls += 1;
    answer.writeHead(404).end("<Error><Code>NoSuchKey</Code></Error>");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const endpoint = `https://localhost:${(server.address() as AddressInfo).port}`;
  return { endpoint, calls: () => calls };
}

const KEYS = { region: "us-east-1", accessKeyId: "key", secretAccessKey: "s3cret" };

test("[SEC3] an S3 server gets no call before its certificate is checked", async () => {
  const { endpoint, calls } = await playS3();
  for (const isVerified of [undefined, true]) {
    using bucket = new S3Bucket(
      { bucket: "sounds", endpoint, ...KEYS, ...(isVerified !== undefined && { isVerified }) },
      PATIENCE,
    );
    await expect(bucket.getText("x")).rejects.toThrow("self-signed certificate");
  }
  expect(calls()).toBe(0);
});

test.each([{ ca: cert }, { isVerified: false }])(
  "[SEC3] the same server gets them with its own authority, or if no certificate is to be checked",
  async (more) => {
    const { endpoint, calls } = await playS3();
    using bucket = new S3Bucket({ bucket: "sounds", endpoint, ...KEYS, ...more }, PATIENCE);
    expect(await bucket.getText("x")).toBeUndefined();
    expect(calls()).toBe(1);
  },
);

test("[SEC3] no variable of the SDK's own leads to a server that the settings don't name", async () => {
  vi.stubEnv("AWS_ENDPOINT_URL_S3", "http://evil.example");
  vi.stubEnv("AWS_ENDPOINT_URL", "http://evil.example");
  onTestFinished(() => void vi.unstubAllEnvs());
  using bucket = new S3Bucket({ bucket: "sounds", ...KEYS }, PATIENCE);
  // Signed here: nothing is sent.
  expect(await bucket.addressOf("x", 60)).toMatch(
    /^https:\/\/sounds\.s3\.(us-east-1\.)?amazonaws\.com\//,
  );
});
