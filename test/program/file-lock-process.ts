import { setImmediate } from "node:timers/promises";
import { lockFile } from "../../program/file-lock.ts";

// A process that tries to take a lock at a given time. A message without a time makes it release the lock. Asked to
// forget it, it takes the lock, keeps no reference, collects garbage and tries again.

interface Order {
  readonly path: string;
  readonly at?: number;
  readonly forget?: boolean;
}

let held: Disposable | undefined;
process.on("message", (order: Order) => void answer(order));

async function answer({ path, at, forget = false }: Order): Promise<void> {
  held?.[Symbol.dispose]();
  held = undefined;
  if (at === undefined) return say("free");
  while (Date.now() < at);
  if (forget) await takeAndForget(path);
  held = lockFile(path);
  say(held === undefined ? "held" : "mine");
}

function say(word: string): void {
  process.send?.(word);
}

async function takeAndForget(path: string): Promise<void> {
  if (globalThis.gc === undefined) throw new Error("needs --expose-gc");
  if (lockFile(path) === undefined) throw new Error("held");
  for (let round = 0; round < 3; round += 1) {
    // A finalizer may run in the turn after.
    globalThis.gc();
    await setImmediate();
  }
}
