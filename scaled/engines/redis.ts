import { Redis as Client } from "ioredis";
import { makeEngineFolder } from "./engine-folder.ts";
import { Engine, startOnFreePorts } from "./engine.ts";
import { freePort } from "./free-port.ts";

/** A Redis server of its own that writes nothing to the disk: stopped, it has forgotten everything. */
export class Redis extends Engine {
  readonly port: number;

  constructor(folder: string, port: number) {
    const settings = {
      bind: "127.0.0.1",
      port: String(port),
      save: "",
      appendonly: "no",
      dir: folder,
    };
    super({
      name: "Redis",
      command: [
        "redis-server",
        ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
      ],
      folder,
      stopSignal: "SIGTERM",
      isReady: () => ping(port),
    });
    this.port = port;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }
}

/** An empty Redis server. */
export async function startRedis(): Promise<Redis> {
  return startOnFreePorts(async () => new Redis(await makeEngineFolder("redis"), await freePort()));
}

async function ping(port: number): Promise<void> {
  const client = new Client(port, "127.0.0.1", {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.ping();
  } finally {
    client.disconnect();
  }
}
