import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { type BenchOptions, type BenchResult, median, percentile } from "../bench-result.ts";
import { freePort } from "../../engines/free-port.ts";

const COMMAND = join(import.meta.dirname, "../../../cli/soundferry.ts");
/** A successor has read its program and waits for the folder by then. */
const WAITING_MS = 3000;

/** How long nobody listens while one relay replaces another on the same folder and port (rule K11). */
export async function benchRestart({ folder, isShort }: BenchOptions): Promise<BenchResult> {
  const port = await freePort();
  let relay = startRelay(folder, port);
  const gaps: number[] = [];
  try {
    await once(relay.stdout ?? relay, "data");
    for (let round = 0; round < (isShort ? 2 : 9); round += 1) {
      const successor = startRelay(folder, port);
      const ready = once(successor.stdout ?? successor, "data");
      await sleep(WAITING_MS);
      relay.kill("SIGTERM");
      relay = successor;
      gaps.push(await gapAt(port));
      await ready;
    }
  } finally {
    relay.kill("SIGINT");
    await once(relay, "exit");
  }
  return {
    name: "restart",
    task: `${gaps.length} relays, each replaced by one that waits for the folder; connections are tried all the time.`,
    sides: [{ name: "without a listener", unit: "ms", values: gaps, peakMb: 0 }],
    figures: [{ name: "median, ms", value: median(gaps), atMost: 1000 }],
    notes: [`The longest was ${percentile(gaps, 1).toFixed(0)} ms.`],
  };
}

function startRelay(folder: string, port: number): ChildProcess {
  const place = ["--port", String(port), "--data", join(folder, "relay")];
  const words = [COMMAND, "relay", "--json", ...place, "--wait-for-lock-s", "60"];
  return spawn(process.execPath, words, { stdio: ["ignore", "pipe", "ignore"] });
}

/** From the last connection that was accepted until the first one after the others were refused. */
async function gapAt(port: number): Promise<number> {
  let lastAt = performance.now();
  for (let wasRefused = false; ; await nextTurn()) {
    const isAccepted = await accepts(port);
    const now = performance.now();
    if (isAccepted && wasRefused) return now - lastAt;
    if (isAccepted) lastAt = now;
    else wasRefused = true;
  }
}

async function accepts(port: number): Promise<boolean> {
  const connection = connect(port, "127.0.0.1");
  try {
    await once(connection, "connect");
    return true;
  } catch {
    return false;
  } finally {
    connection.destroy();
  }
}
