import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { soon } from "../../sim/soon.ts";

const SCRIPT = join(import.meta.dirname, "../dev-scaled.ts");

interface Facts {
  readonly url: string;
  readonly relays: readonly { readonly url: string; readonly log: string }[];
}

test("[SC19] dev:scaled starts relays behind haproxy, refuses a second one, and --stop leaves nothing", async () => {
  const place = await newPlace();
  const running = place.run("--json", "--relays", "2");
  const facts = await factsOf(running);
  expect(facts.relays).toHaveLength(2);
  for (const url of [facts.url, ...facts.relays.map((relay) => relay.url)]) {
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  }
  const second = place.run();
  expect(await ending(second)).toEqual({
    status: 1,
    stderr: "It runs already. To stop it: npm run dev:scaled -- --stop\n",
  });
  const stop = place.run("--stop");
  expect(await text(stop.stdout ?? raise())).toBe("It has stopped.\n");
  await running.ended;
  await expectNothingLeft(facts);
  expect(existsSync(dirname(dirname(dirname(facts.relays[0]?.log ?? ""))))).toBe(false);
});

test("[SC19] nothing runs on if its process is killed", async () => {
  const place = await newPlace();
  const running = place.run("--json", "--relays", "1");
  const facts = await factsOf(running);
  running.child.kill("SIGKILL");
  await running.ended;
  await expectNothingLeft(facts);
});

test("[SC19] without a program it names the Debian package", async () => {
  const place = await newPlace({ PATH: "/nowhere" });
  const { status, stderr } = await ending(place.run());
  expect(status).toBe(1);
  expect(stderr).toContain("memcached, in memcached\n");
  expect(stderr).toMatch(/apt-get install --no-install-recommends .*swift-proxy/);
});

interface Running {
  readonly child: ChildProcess;
  readonly stdout: ChildProcess["stdout"];
  readonly ended: Promise<unknown>;
}

/** A user's place of its own: the control socket of this machine's developer stays alone. */
async function newPlace(more: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "soundferry-place-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // Engines of another user must reach their folders in it.
  await chmod(folder, 0o711);
  const env = { ...process.env, XDG_RUNTIME_DIR: folder, TMPDIR: folder, ...more };
  return {
    run(...words: readonly string[]): Running {
      const child = spawn(process.execPath, [SCRIPT, ...words], {
        env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const ended = once(child, "close");
      onTestFinished(async () => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill("SIGKILL");
        await ended;
      });
      return { child, stdout: child.stdout, ended };
    },
  };
}

async function factsOf({ child, ended }: Running): Promise<Facts> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) return raise();
  const printed = text(stderr);
  const lines = createInterface({ input: stdout });
  const line = once(lines, "line").then(([first]) => first as string);
  const early = ended.then(async () => Promise.reject(new Error(await printed)));
  return JSON.parse(await Promise.race([line, early])) as Facts;
}

async function ending({ child, ended }: Running) {
  const printed = child.stderr === null ? raise() : text(child.stderr);
  await ended;
  return { status: child.exitCode, stderr: await printed };
}

async function expectNothingLeft({ url, relays }: Facts): Promise<void> {
  for (const address of [url, ...relays.map((relay) => relay.url)]) {
    await soon(() =>
      fetch(address).then(
        () => "answers",
        () => "is away",
      ),
    ).toBe("is away");
  }
}

function raise(): never {
  throw new Error("The process has no output.");
}
