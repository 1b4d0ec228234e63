import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeMachine } from "../../cli/run-soundferry.ts";
import { temporaryFolder } from "../storage/sqlite/open-sqlite.ts";

const COMMAND = join(import.meta.dirname, "..", "..", "..", "cli", "soundferry.ts");
const CALLS = "trace=fsync,fdatasync,pwrite64,write,writev,sendto,sendmsg";
/** Missing on other systems, and forbidden in some containers. */
const mayTrace = spawnSync("strace", ["-D", "-f", "-e", CALLS, "true"]).status === 0;

test.skipIf(!mayTrace)(
  "[U7][Z8] the log is flushed after its last write and before the answer (needs strace)",
  async () => {
    await using folder = await temporaryFolder();
    const trace = join(folder.path, "trace");
    const tracing = ["-D", "-f", "-y", "-s", "40", "-e", CALLS, "-o", trace];
    await using machine = await makeMachine(["strace", ...tracing, process.execPath, COMMAND]);
    const relay = machine.start(["relay", "--json"], {
      SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "100",
    });
    await relay.until(({ stdout }) => stdout.includes("\n"));
    const { url } = JSON.parse(relay.stdout);
    for (let call = 0; call < 5; call += 1) {
      const answer = await fetch(`${url}/importer/register`, { method: "POST", body: "{}" });
      expect(answer.status).toBe(201);
    }
    relay.interrupt();
    expect((await relay.ended).status).toBe(0);

    const steps = stepsOf(await readFile(trace, "utf8"));
    const answers = steps.flatMap((step, index) => (step === "answer" ? [index] : []));
    expect(answers).toHaveLength(5);
    for (const [order, at] of answers.entries()) {
      const before = steps.slice(order === 0 ? 0 : (answers[order - 1] ?? 0) + 1, at);
      expect(before).toContain("write");
      expect(before.lastIndexOf("write")).toBeLessThan(before.lastIndexOf("flush"));
    }
  },
);

/**
 * Lists the writes, flushes and answers of a trace, in order. A flush counts when it has ended, everything else when it
 * begins.
 */
function stepsOf(trace: string): readonly ("write" | "flush" | "answer")[] {
  const flushing = new Set<string>();
  return trace.split("\n").flatMap((line) => {
    const thread = /^\d+/.exec(line)?.[0] ?? "";
    if (/ pwrite64\(\d+<[^>]*relay\.sqlite-wal>/.test(line)) return ["write"];
    if (/ (write|writev|sendto|sendmsg)\(.*HTTP\/1\.1 201/.test(line)) return ["answer"];
    if (/ f(data)?sync\(\d+<[^>]*relay\.sqlite-wal>.*unfinished/.test(line)) flushing.add(thread);
    else if (/ f(data)?sync\(\d+<[^>]*relay\.sqlite-wal>\) += 0/.test(line)) return ["flush"];
    else if (/ f(data)?sync resumed>.* = 0/.test(line) && flushing.delete(thread)) return ["flush"];
    return [];
  });
}
