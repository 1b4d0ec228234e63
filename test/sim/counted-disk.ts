import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** Numbers of the system's calls by name, such as `open` and `fstat`. */
type Counts = Readonly<Record<string, number>>;

/**
 * Counts every call of `node:fs`, `node:fs/promises` and their file handles during some work, whether it answers at once
 * or later. One count at a time.
 */
export async function countCalls(work: () => Promise<unknown>): Promise<Counts> {
  const counts: Record<string, number> = {};
  const handle = await fs.promises.open(import.meta.filename);
  const handles: object = Object.getPrototypeOf(handle);
  await handle.close();
  const restore = [
    ...count(fs, counts),
    ...count(fs.promises, counts),
    ...count(handles, counts, { stat: "fstat" }),
    ...count(fs.realpathSync, counts, { native: "realpath" }),
  ];
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    for (const undo of restore) undo();
    syncBuiltinESMExports();
  }
  return counts;
}

function count(
  target: object,
  counts: Record<string, number>,
  others: Readonly<Record<string, string>> = {},
): (() => void)[] {
  return Object.getOwnPropertyNames(target).flatMap((name) => {
    const original = Object.getOwnPropertyDescriptor(target, name);
    const call: unknown = original?.value;
    // Classes begin with a capital.
    const isCall = typeof call === "function" && /^[a-z]/.test(name) && name !== "constructor";
    if (!isCall || original === undefined) return [];
    const counted = others[name] ?? name.replace(/Sync$/, "");
    const replaced = function (this: unknown, ...args: unknown[]): unknown {
      counts[counted] = (counts[counted] ?? 0) + 1;
      const result: unknown = Reflect.apply(call, this, args);
      if (!(result instanceof Promise) || counted !== "open") return result;
      return result.then((opened: object) => {
        // Each handle has a `close` of its own.
        count(opened, counts);
        return opened;
      });
    };
    Object.defineProperty(target, name, { ...original, value: Object.assign(replaced, call) });
    return [() => void Object.defineProperty(target, name, original)];
  });
}
