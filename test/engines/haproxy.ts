import { join } from "node:path";
import { makeEngineFolder, writeEngineFile } from "./engine-folder.ts";
import { accepts, Engine, startOnFreePorts } from "./engine.ts";
import { freePort } from "./free-port.ts";
import { changed, readShipped } from "./shipped-file.ts";

/** haproxy in front of several relays. */
export class Haproxy extends Engine {
  readonly port: number;

  constructor(folder: string, port: number) {
    super({
      name: "haproxy",
      command: ["haproxy", "-db", "-f", join(folder, "haproxy.cfg")],
      folder,
      // USR1 would wait for sockets that stay open for hours.
      stopSignal: "SIGTERM",
      isReady: () => accepts(port),
    });
    this.port = port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }
}

export interface HaproxyOptions {
  /** Believes what callers say of their address, as no proxy on the internet may. For tests with made-up addresses. */
  readonly keepsForwardedFor?: boolean;
}

/**
 * The haproxy of `relay/deploy/container/scaled/`: it pins a token to a relay for as long as that is ready (rule SC18).
 * @param ports where relays listen, or will listen
 */
export async function startHaproxy(
  ports: readonly number[],
  options: HaproxyOptions = {},
): Promise<Haproxy> {
  return startOnFreePorts(async () => {
    const folder = await makeEngineFolder("haproxy");
    const port = await freePort();
    await writeEngineFile(join(folder, "haproxy.cfg"), configuration(port, ports, options));
    return new Haproxy(folder, port);
  });
}

function configuration(
  port: number,
  relays: readonly number[],
  { keepsForwardedFor = false }: HaproxyOptions,
): string {
  const bind = `    bind 127.0.0.1:${port}\n`;
  const believesNobody = "    http-request set-header X-Forwarded-For %[src]\n";
  const servers = relays.map((relay, index) => `    server relay${index + 1} 127.0.0.1:${relay}\n`);
  return changed(readShipped("container/scaled/haproxy.cfg"), [
    // As many connections as file descriptors allow.
    ["    maxconn 20000\n", ""],
    ["resolvers containers\n    parse-resolv-conf\n    hold valid 5s\n", ""],
    [" resolvers containers init-addr last,libc,none", ""],
    ["    bind :4700\n", keepsForwardedFor ? bind : bind + believesNobody],
    ["check inter 2s", "check inter 500ms"],
    [
      "    server relay1 relay1:4700\n    server relay2 relay2:4700\n    server relay3 relay3:4700\n",
      servers.join(""),
    ],
  ]);
}
