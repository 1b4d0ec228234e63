import { join } from "node:path";
import { makeEngineFolder, writeEngineFile } from "./engine-folder.ts";
import { accepts, Engine, startOnFreePorts } from "./engine.ts";
import { freePort } from "./free-port.ts";

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

/** What a page may read is the same as in a relay's own 503. */
const OPEN_TO_PAGES =
  "hdr Access-Control-Allow-Origin * hdr Access-Control-Expose-Headers Retry-After hdr Cache-Control no-store";

export interface HaproxyOptions {
  /** Believes what callers say of their address, as no proxy on the internet may. For tests with made-up addresses. */
  readonly keepsForwardedFor?: boolean;
}

/**
 * haproxy that gives calls with one `Authorization` to one relay, as long as it is ready: without Redis, calls count
 * per process. As `deploy/haproxy/haproxy.cfg`, without TLS.
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
  const body = '{"error":"No relay is ready. Try again in 2 s.","code":"STOPPING"}';
  const away = [502, 503, 504].map(
    (status) =>
      `    http-error status ${status} content-type application/json string '${body}' hdr Retry-After 2 ${OPEN_TO_PAGES}`,
  );
  return [
    "global",
    "    # Its connections: as many as its file descriptors allow.",
    "defaults",
    "    mode http",
    "    timeout http-request 15s",
    "    timeout http-keep-alive 75s",
    // Later than the relay's own 60 s for a silent sender, the 30 s of a long-poll and of an importer's ping.
    "    timeout client 75s",
    "    timeout connect 3s",
    "    # A relay that is slow under load is not away.",
    "    timeout check 5s",
    "    timeout server 120s",
    "    timeout tunnel 120s",
    "    timeout queue 30s",
    // Another relay than the one that is away. Nothing was sent by then.
    "    retries 3",
    "    retry-on conn-failure empty-response",
    "    option redispatch 1",
    ...away,
    "frontend soundferry",
    `    bind 127.0.0.1:${port}`,
    ...(keepsForwardedFor ? [] : ["    http-request set-header X-Forwarded-For %[src]"]),
    "    http-request del-header Forwarded",
    "    http-request return status 404 if { path_beg /metrics }",
    "    http-request disable-l7-retry unless METH_GET",
    "    default_backend relays",
    "backend relays",
    "    balance hdr(Authorization)",
    "    hash-type consistent",
    "    option httpchk GET /readyz",
    "    default-server check inter 500ms fall 2 rise 1",
    ...relays.map((relay, index) => `    server relay${index + 1} 127.0.0.1:${relay}`),
    "",
  ].join("\n");
}
