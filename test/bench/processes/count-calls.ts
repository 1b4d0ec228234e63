import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { DatabaseSync, StatementSync } from "node:sqlite";
import { isMainThread, setEnvironmentData } from "node:worker_threads";
import { COUNTERS, countCall, FILE_CALLS, FILES, newCounters } from "./counters.ts";

// Loaded before a process's own modules (`--import`), and before those of each of its threads: counts what they ask of
// Node's files and of SQLite. Node's own use of its files isn't counted.

if (isMainThread) setEnvironmentData(COUNTERS, newCounters());

// oxlint-disable-next-line typescript/no-explicit-any -- any function of Node may stand here
type Methods = Record<string, any>;

function note(
  owner: Methods,
  name: string,
  act: (call: { self: object; first: unknown; result: unknown }) => void,
): void {
  const original: unknown = owner[name];
  if (typeof original !== "function") return;
  function noted(this: object, ...words: unknown[]): unknown {
    const result: unknown = Reflect.apply(original as () => unknown, this, words);
    act({ self: this, first: words[0], result });
    return result;
  }
  // `realpath.native`, and what `promisify` looks for.
  Object.defineProperties(noted, Object.getOwnPropertyDescriptors(original));
  owner[name] = noted;
}

const handle = await fs.promises.open(process.execPath);
const ofHandles = Object.getPrototypeOf(handle) as Methods;
await handle.close();
for (const call of FILES) {
  for (const name of FILE_CALLS[call]) {
    const count = () => countCall(call);
    note(ofHandles, name, count);
    note(fs.promises, name, count);
    note(fs, name, count);
    note(fs, `${name}Sync`, count);
  }
}
syncBuiltinESMExports();

const commits = new WeakSet<object>();
const isCommit = (sql: unknown) => typeof sql === "string" && /^\s*COMMIT/i.test(sql);
note(DatabaseSync.prototype, "prepare", ({ first, result }) => {
  if (isCommit(first)) commits.add(result as object);
});
note(DatabaseSync.prototype, "exec", ({ first }) =>
  countCall(isCommit(first) ? "commits" : "statements"),
);
for (const name of ["run", "get", "all", "iterate"]) {
  note(StatementSync.prototype, name, ({ self }) =>
    countCall(commits.has(self) ? "commits" : "statements"),
  );
}
