import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../addon/temporary-folder.ts";

const ROUNDS = 10;

test("[R3] of two processes that want the lock at the same moment, one gets it", async () => {
  const path = join(await temporaryFolder(), "lock");
  const processes = [1, 2].map(() => fork(join(import.meta.dirname, "file-lock-process.ts")));
  onTestFinished(() => processes.forEach((one) => one.kill()));
  const tell = (at?: number) =>
    Promise.all(
      processes.map(async (one) => {
        const said = once(one, "message");
        one.send({ path, at });
        return String((await said)[0]);
      }),
    );
  await tell();
  for (let round = 0; round < ROUNDS; round += 1) {
    expect((await tell(Date.now() + 5)).toSorted()).toEqual(["held", "mine"]);
    await tell();
  }
});

test("[R3] holds a lock until its release or its process's end, even if nothing refers to it", async () => {
  const path = join(await temporaryFolder(), "lock");
  const one = fork(join(import.meta.dirname, "file-lock-process.ts"), {
    execArgv: ["--expose-gc"],
  });
  onTestFinished(() => void one.kill());
  const said = once(one, "message");
  one.send({ path, at: 0, forget: true });
  expect((await said)[0]).toBe("held");
});
