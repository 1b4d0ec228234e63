import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { rm } from "node:fs/promises";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { makeEngineFolder } from "./engine-folder.ts";
import { accepts, Engine, startOnFreePorts } from "./engine.ts";
import { freePort } from "./free-port.ts";
import {
  SWIFT_REGION,
  SWIFT_SECRET,
  SWIFT_SERVERS,
  type SwiftPorts,
  writeSwiftFiles,
} from "./swift-files.ts";

/** An S3 server: OpenStack Swift with its s3api, on one folder. Path-style addresses only; no lifecycle rules. */
export class Swift implements AsyncDisposable {
  readonly folder: string;
  readonly ports: SwiftPorts;
  readonly region = SWIFT_REGION;
  readonly accessKeyId = "soundferry:relay";
  readonly secretAccessKey = SWIFT_SECRET;
  readonly #proxy: Engine;
  /** The engines that the proxy needs. */
  readonly #behind: readonly Engine[];

  constructor(folder: string, ports: SwiftPorts) {
    this.folder = folder;
    this.ports = ports;
    const server = (name: "proxy" | (typeof SWIFT_SERVERS)[number]) =>
      new Engine({
        name: `Swift's ${name} server`,
        command: [`swift-${name}-server`, join(folder, `${name}.conf`), "--verbose"],
        folder,
        stopSignal: "SIGTERM",
        isReady: () => isHealthy(ports[name]),
      });
    const memcached = new Engine({
      name: "memcached",
      command: ["memcached", "-l", "127.0.0.1", "-p", String(ports.memcached), "-m", "16"],
      folder,
      stopSignal: "SIGTERM",
      isReady: () => accepts(ports.memcached),
    });
    this.#proxy = server("proxy");
    this.#behind = [...SWIFT_SERVERS.map((name) => server(name)), memcached];
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.ports.proxy}`;
  }

  get pid(): number | undefined {
    return this.#proxy.pid;
  }

  /** Latest output of the server in front. */
  get printed(): string {
    return this.#proxy.printed;
  }

  /** Starts all of its servers, the one that callers ask last. */
  async start(): Promise<void> {
    await Promise.all(this.#behind.map((engine) => engine.start()));
    await this.#proxy.start();
  }

  /** Ends all of its servers in good order. */
  async stop(): Promise<void> {
    await this.#proxy.stop();
    await Promise.all(this.#behind.map((engine) => engine.stop()));
  }

  /** Ends all of its servers at once. */
  async kill(): Promise<void> {
    await Promise.all([this.#proxy, ...this.#behind].map((engine) => engine.kill()));
  }

  /** Sends the server in front a signal, such as SIGSTOP or SIGCONT: it keeps its connections and answers nothing. */
  signal(signal: NodeJS.Signals): void {
    this.#proxy.signal(signal);
  }

  /** A client with the server's own keys; the caller destroys it. */
  client(): S3Client {
    const { endpoint, region, accessKeyId, secretAccessKey } = this;
    return new S3Client({
      endpoint,
      region,
      credentials: { accessKeyId, secretAccessKey },
      forcePathStyle: true,
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
    });
  }

  /** The settings of a relay that keeps its sounds in a bucket here. */
  settingsOf(bucket: string) {
    return {
      SOUNDFERRY_S3_BUCKET: bucket,
      SOUNDFERRY_S3_ENDPOINT: this.endpoint,
      SOUNDFERRY_S3_REGION: this.region,
      SOUNDFERRY_S3_ACCESS_KEY_ID: this.accessKeyId,
      SOUNDFERRY_S3_SECRET_ACCESS_KEY: this.secretAccessKey,
    };
  }

  /** The name of a new, empty bucket. */
  async createBucket(): Promise<string> {
    const name = `sounds-${randomBytes(6).toString("hex")}`;
    const client = this.client();
    try {
      await client.send(new CreateBucketCommand({ Bucket: name }));
    } finally {
      client.destroy();
    }
    return name;
  }

  /** Ends it and removes its folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.signal("SIGCONT");
    await this.stop();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** An S3 server without buckets. */
export async function startSwift(): Promise<Swift> {
  return startOnFreePorts(async () => {
    const folder = await makeEngineFolder("swift");
    const ports: SwiftPorts = {
      proxy: await freePort(),
      account: await freePort(),
      container: await freePort(),
      object: await freePort(),
      memcached: await freePort(),
    };
    await writeSwiftFiles(folder, ports);
    return new Swift(folder, ports);
  });
}

async function isHealthy(port: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/healthcheck`, {
    signal: AbortSignal.timeout(5_000),
  });
  if ((await answer.text()) !== "OK") throw new Error(`It answers ${answer.status}.`);
}
