import { lockFile } from "../../program/file-lock.ts";

// A process that tries to take a lock at a given time. A message without a time makes it release the lock.

let held: Disposable | undefined;
process.on("message", ({ path, at }: { readonly path: string; readonly at?: number }) => {
  held?.[Symbol.dispose]();
  held = undefined;
  if (at === undefined) return process.send?.("free");
  while (Date.now() < at);
  held = lockFile(path);
  return process.send?.(held === undefined ? "held" : "mine");
});
