import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Change, changed, readShipped } from "../../engines/shipped-file.ts";
import type { Proxy } from "./proxies.ts";
import { uncommented } from "./shipped-file.ts";
import { freePort } from "../../engines/free-port.ts";
import { until } from "../../sim/until.ts";

const TLS = join(import.meta.dirname, "../tls");
const CERT = join(TLS, "cert.pem");
const KEY = join(TLS, "key.pem");

/** The certificate that a client needs to trust a proxy of these tests. */
export const CA = readFileSync(CERT, "utf8");

export interface RunningProxy extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
}

/**
 * The real program with the shipped file, of which only what is in `Proxy.changes` is another.
 * @param secondRelayPort of another relay; then the file's part for several relays is used
 * @throws with what it printed if it doesn't start
 */
export async function startProxy(
  proxy: Proxy,
  relayPort: number,
  more: readonly Change[] = [],
  secondRelayPort?: number,
): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), `soundferry-${proxy.name}-`));
  const port = await freePort();
  const place = { port, relayPort, folder, cert: CERT, key: KEY, both: join(folder, "both.pem") };
  const site = join(folder, "site");
  const { files, words } = proxy.start(place, site);
  const shipped = readShipped(proxy.file);
  const text =
    secondRelayPort === undefined
      ? changed(shipped, [...proxy.changes(place), ...more])
      : changed(uncommented(shipped), [
          ...proxy.changesForSeveral(place, secondRelayPort),
          ...more,
        ]);
  const all = { ...files, site: text, "both.pem": CA + readFileSync(KEY, "utf8") };
  for (const [name, content] of Object.entries(all)) await writeFile(join(folder, name), content);

  const env = { PATH: process.env["PATH"], HOME: folder };
  const child = spawn(proxy.name, words, { env, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (part: string) => (printed += part));
  }
  const ended = once(child, "close");
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true });
  };
  try {
    const listens = until(() => accepts(port));
    await Promise.race([listens, ended.then(() => Promise.reject(new Error("It has ended.")))]);
  } catch (cause) {
    await stop();
    throw new Error(`${proxy.name} doesn't listen:\n${printed}`, { cause });
  }
  return { port, url: `https://localhost:${port}`, [Symbol.asyncDispose]: stop };
}

async function accepts(port: number): Promise<void> {
  const connection = connect(port, "127.0.0.1");
  await once(connection, "connect");
  connection.destroy();
}
