import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** Numbers of calls by name, such as `openSync` and `promises.open`. */
type Counts = Readonly<Record<string, number>>;

/** Counts every call of `node:fs` and `node:fs/promises` during some work. One count at a time. */
export async function countCalls(work: () => Promise<unknown>): Promise<Counts> {
  const counts: Record<string, number> = {};
  const restore = [
    ...count(fs, "", counts),
    ...count(fs.promises, "promises.", counts),
    // `realpathSync` keeps its `native` under any wrapper.
    ...count(fs.realpathSync, "realpathSync.", counts),
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

function count(target: object, prefix: string, counts: Record<string, number>): (() => void)[] {
  return Object.keys(target).flatMap((name) => {
    const original: unknown = Reflect.get(target, name);
    // Classes begin with a capital.
    if (typeof original !== "function" || !/^[a-z]/.test(name)) return [];
    const counted = function (this: unknown, ...args: unknown[]): unknown {
      counts[prefix + name] = (counts[prefix + name] ?? 0) + 1;
      return Reflect.apply(original, this, args);
    };
    Reflect.set(target, name, Object.assign(counted, original));
    return [() => void Reflect.set(target, name, original)];
  });
}
