import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type LockHeldElsewhere, Lock, takeLock } from "../../../addon/disk/lock.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const answers = async () => true;
const isSilent = async () => false;

async function lockPath(): Promise<string> {
  return join(await temporaryFolder(), "importer.lock");
}

function tryLock(path: string, answersAt = answers): Promise<Lock | LockHeldElsewhere> {
  return takeLock(path, { answersAt, isBrief: true });
}

async function take(path: string, answersAt = answers): Promise<Lock> {
  const taken = await tryLock(path, answersAt);
  if (!(taken instanceof Lock)) throw new Error(`held by ${taken.heldBy?.pid}`);
  onTestFinished(() => taken.release());
  return taken;
}

/** Writes an owner's file as a killed process leaves it, or a version before the lock had files only. */
function writeOwner(path: string, pid: number, port: number | null): Promise<void> {
  return writeFile(path, JSON.stringify({ pid, port, secret: "s".repeat(43) }));
}

describe("a lock that is held", () => {
  test("[R3] says who holds it, where it listens and what to show there, to its user alone", async () => {
    const path = await lockPath();
    const lock = await take(path);
    lock.publish(4701);
    const second = await tryLock(path);
    const heldBy = { pid: process.pid, port: 4701, isBrief: true, secret: lock.secret };
    expect(second).toEqual({ heldBy });
    expect(lock.secret).toMatch(/^[\w-]{43}$/);
    if (process.platform === "win32") return;
    for (const each of [path, `${path}.held`]) expect((await stat(each)).mode & 0o777).toBe(0o600);
  });

  test("[R3] is held while its process starts, and while it doesn't answer", async () => {
    const path = await lockPath();
    const lock = await take(path);
    const heldBy = { pid: process.pid, port: null };
    expect(await tryLock(path)).toMatchObject({ heldBy });
    lock.publish(4701);
    expect(await tryLock(path, isSilent)).toMatchObject({ heldBy });
  });

  test("[R3] is free again after its release; the next secret is another", async () => {
    const path = await lockPath();
    const first = await take(path);
    first.publish(4701);
    await first.release();
    expect(await readdir(join(path, ".."))).toEqual(["importer.lock.held"]);
    expect((await take(path)).secret).not.toBe(first.secret);
  });

  test("[R3] respects an owner of an earlier version, which has the file only", async () => {
    const path = await lockPath();
    await writeOwner(path, process.pid, 4701);
    expect(await tryLock(path)).toMatchObject({ heldBy: { port: 4701 } });
    await take(path, isSilent);
  });

  test.each(["", "{", "null", '{"pid":"1"}', '{"pid":-1,"port":1,"secret":""}'])(
    "[R3] is free although an owner's file with invalid content (%s) was left",
    async (text) => {
      const path = await lockPath();
      await writeFile(path, text);
      await take(path);
    },
  );
});

/** A process that takes the lock and holds it until it is killed. */
class Starter {
  readonly child: ChildProcess;
  readonly #said: Promise<string>;

  constructor(path: string) {
    const module = JSON.stringify(new URL("../../../addon/disk/lock.ts", import.meta.url).href);
    const script = `
      import { Lock, takeLock } from ${module};
      process.stdin.on("data", async () => {
        const taken = await takeLock(process.argv[1], { answersAt: async () => true, isBrief: true });
        process.stdout.write(taken instanceof Lock ? "mine" : "held");
      });
      process.stdout.write("ready");
    `;
    const words = ["--input-type=module", "-e", script, path];
    this.child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "inherit"] });
    onTestFinished(() => void this.child.kill("SIGKILL"));
    this.#said = this.#next();
  }

  async isReady(): Promise<void> {
    expect(await this.#said).toBe("ready");
  }

  async start(): Promise<string> {
    const said = this.#next();
    this.child.stdin?.write("\n");
    return said;
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await once(this.child, "exit");
  }

  async #next(): Promise<string> {
    if (this.child.stdout === null) throw new Error("without an output");
    return String((await once(this.child.stdout, "data"))[0]);
  }
}

test("[R3] exactly one of several processes gets the lock, and the next one after each kill", async () => {
  const path = await lockPath();
  let starters = Array.from({ length: 8 }, () => new Starter(path));
  await Promise.all(starters.map((starter) => starter.isReady()));
  while (starters.length > 0) {
    const said = await Promise.all(starters.map((starter) => starter.start()));
    expect(said.toSorted()).toEqual([...starters.slice(1).map(() => "held"), "mine"]);
    const holder = starters[said.indexOf("mine")];
    await holder?.kill();
    expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ pid: holder?.child.pid });
    starters = starters.filter((starter) => starter !== holder);
  }
  await take(path);
});
