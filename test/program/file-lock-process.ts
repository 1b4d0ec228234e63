import { lockFile } from "../../program/file-lock.ts";

// A process that tries to get the lock at a time that it is told, and lets go of it when it is told no time.

let held: Disposable | undefined;
process.on("message", ({ path, at }: { readonly path: string; readonly at?: number }) => {
  held?.[Symbol.dispose]();
  held = undefined;
  if (at === undefined) return process.send?.("free");
  while (Date.now() < at);
  held = lockFile(path);
  return process.send?.(held === undefined ? "held" : "mine");
});
