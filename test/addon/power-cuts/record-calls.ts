import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { relative, resolve } from "node:path";
import type { Recorded } from "../../sim/disk-call.ts";

// Loaded before everything else, so that libraries are recorded too. Each of Node's calls is passed on. One that
// isn't listed here shows as a difference between what is recorded and what is there.

type Call = (this: unknown, ...args: unknown[]) => unknown;
type Change = "write" | "flush" | "remove" | "make folder";

const CHANGES: Readonly<Record<string, Change>> = {
  write: "write",
  writev: "write",
  writeFile: "write",
  appendFile: "write",
  truncate: "write",
  ftruncate: "write",
  sync: "flush",
  datasync: "flush",
  fsync: "flush",
  fdatasync: "flush",
  rm: "remove",
  rmdir: "remove",
  unlink: "remove",
  mkdir: "make folder",
};
const pathsByFile = new Map<unknown, string>();
let root = "";
let recorded: Recorded[] = [];

/** Records what `act` does in a folder. */
export async function recordCalls(
  folder: string,
  act: () => Promise<void>,
): Promise<readonly Recorded[]> {
  root = folder;
  recorded = [];
  await act();
  return recorded;
}

/** Adds a value to the record that a module was asked to keep, or has kept. */
export function note(kind: "begun" | "kept", value: unknown): void {
  recorded.push({ note: kind, value });
}

function insideRoot(path: unknown): string | undefined {
  const inRoot = relative(root, resolve(String(path)));
  return root === "" || inRoot.startsWith("..") ? undefined : inRoot;
}

function add(change: Change, target: unknown): void {
  const path = insideRoot(pathsByFile.get(target) ?? target);
  if (path === undefined) return;
  if (change !== "write") recorded.push({ call: change, path });
  else recorded.push({ call: change, path, bytes: fs.readFileSync(resolve(root, path), "base64") });
}

function addRename(from: unknown, target: unknown): void {
  const [path, to] = [insideRoot(from), insideRoot(target)];
  if (path !== undefined && to !== undefined) recorded.push({ call: "rename", path, to });
}

function noteOpen(path: unknown, flags: unknown): void {
  const { O_CREAT, O_TRUNC } = fs.constants;
  const changes =
    typeof flags === "number" ? (flags & (O_CREAT | O_TRUNC)) !== 0 : /[wa]/.test(String(flags));
  if (changes) add("write", path);
}

/** Forwards calls and records them once they have succeeded. */
function watch(target: object, name: string, onDone: (args: unknown[], result: unknown) => void) {
  const original: unknown = Reflect.get(target, name);
  if (typeof original !== "function") return;
  const watched: Call = function (...args) {
    const result: unknown = Reflect.apply(original, this, args);
    if (!(result instanceof Promise)) {
      onDone(args, result);
      return result;
    }
    return result.then((value: unknown) => {
      onDone(args, value);
      return value;
    });
  };
  Reflect.set(target, name, watched);
}

function watchHandle(handle: object, path: string): void {
  for (const [name, change] of Object.entries(CHANGES))
    watch(handle, name, () => add(change, path));
}

for (const [name, change] of Object.entries(CHANGES)) {
  watch(fs, `${name}Sync`, ([target]) => add(change, target));
  watch(fs.promises, name, ([target]) => add(change, target));
}
watch(fs, "renameSync", ([from, to]) => addRename(from, to));
watch(fs.promises, "rename", ([from, to]) => addRename(from, to));
watch(fs, "openSync", ([path, flags = "r"], file) => {
  pathsByFile.set(file, String(path));
  noteOpen(path, flags);
});
watch(fs, "closeSync", ([file]) => pathsByFile.delete(file));
watch(fs.promises, "open", ([path, flags = "r"], handle) => {
  noteOpen(path, flags);
  if (typeof handle === "object" && handle !== null) watchHandle(handle, String(path));
});
syncBuiltinESMExports();
