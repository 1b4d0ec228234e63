import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
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
  if (!(taken instanceof Lock)) throw new Error(`held by ${taken.heldBy.pid}`);
  return taken;
}

/** The id of a process that is gone. */
async function exitedPid(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  return child.pid ?? 0;
}

function writeLock(path: string, pid: number, port: number | null): Promise<void> {
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
    if (process.platform !== "win32") expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test("[R3] is held while its process starts, too", async () => {
    const path = await lockPath();
    await take(path);
    const second = await tryLock(path, isSilent);
    expect(second).toMatchObject({ heldBy: { pid: process.pid, port: null } });
  });

  test("[R3] is free again after its release, with nothing left behind; the next secret is another", async () => {
    const path = await lockPath();
    const first = await take(path);
    first.publish(4701);
    await first.release();
    expect(await readdir(join(path, ".."))).toEqual([]);
    expect((await take(path)).secret).not.toBe(first.secret);
  });

  test("[R3] a release removes no lock but its own", async () => {
    const path = await lockPath();
    const lock = await take(path);
    await writeLock(path, process.pid, 4701);
    await lock.release();
    expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ port: 4701 });
  });
});

describe("a stale lock", () => {
  test("[R3] of an exited process is taken over", async () => {
    const path = await lockPath();
    await writeLock(path, await exitedPid(), 4701);
    await take(path);
    expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ pid: process.pid });
    expect(await readdir(join(path, ".."))).toEqual(["importer.lock"]);
  });

  test("[R3] of a process whose id was reused is taken over: nothing answers there", async () => {
    const path = await lockPath();
    await writeLock(path, process.pid, 4701);
    await take(path, isSilent);
  });

  test("[R3] of a process that crashed during start-up is taken over after a minute", async () => {
    const path = await lockPath();
    await writeLock(path, process.pid, null);
    expect(await tryLock(path, isSilent)).toHaveProperty("heldBy");
    const longAgo = new Date(Date.now() - 61_000);
    await utimes(path, longAgo, longAgo);
    await take(path, isSilent);
  });

  test.each(["", "{", "null", '{"pid":"1"}', '{"pid":-1,"port":1,"secret":""}'])(
    "[R3] with invalid content (%s) is taken over",
    async (text) => {
      const path = await lockPath();
      await writeFile(path, text);
      await take(path);
    },
  );

  test("[R3] is taken over even if a process was killed while removing it", async () => {
    const path = await lockPath();
    await writeLock(path, await exitedPid(), 4701);
    const lock = await take(path);
    const stale = await readFile(path, "utf8");
    await lock.release();
    // The same stale lock again, next to the unfinished removal of a second exited process.
    await writeFile(path, stale.replace(String(process.pid), String(await exitedPid())));
    const digest = createHash("sha256")
      .update(await readFile(path, "utf8"))
      .digest("hex");
    await writeLock(`${path}.stale-${digest.slice(0, 16)}`, await exitedPid(), null);
    await take(path);
    expect(await readdir(join(path, ".."))).toEqual(["importer.lock"]);
  });
});

describe("concurrent processes", () => {
  test("[R3] exactly one of many concurrent calls gets a stale lock", async () => {
    const path = await lockPath();
    const pid = await exitedPid();
    for (let round = 0; round < 20; round += 1) {
      await writeLock(path, pid, 4700 + round);
      const taken = await Promise.all(Array.from({ length: 8 }, () => tryLock(path)));
      const locks = taken.filter((one): one is Lock => one instanceof Lock);
      expect(locks).toHaveLength(1);
      const [lock] = locks;
      const held = taken.filter((one): one is LockHeldElsewhere => !(one instanceof Lock));
      expect(held.map(({ heldBy }) => heldBy.secret)).toEqual(Array(7).fill(lock?.secret));
      await lock?.release();
    }
  });

  test("[R3] exactly one of several processes gets it", async () => {
    const path = await lockPath();
    await writeLock(path, await exitedPid(), 4701);
    const script = `
      import { Lock, takeLock } from ${JSON.stringify(new URL("../../../addon/disk/lock.ts", import.meta.url).href)};
      const taken = await takeLock(process.argv[1], { answersAt: async () => true, isBrief: true });
      process.stdout.write(taken instanceof Lock ? "mine\\n" : "held\\n");
      process.stdin.resume();
    `;
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ["--input-type=module", "-e", script, path], {
        stdio: ["pipe", "pipe", "inherit"],
      }),
    );
    onTestFinished(() => {
      for (const child of children) child.kill();
    });
    const said = await Promise.all(
      children.map(async (child) => String((await once(child.stdout, "data"))[0]).trim()),
    );
    expect(said.sort()).toEqual(["held", "held", "held", "mine"]);
  });
});
