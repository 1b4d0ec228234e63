import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

// A file system with faults: Node's calls fail on it as the system's would. Imported before everything else, because
// modules keep the calls that they find; or the preload (`--import`) of another process, with `FAULTY_DISK`.

/** One call that fails. `folder` calls flush or open a folder; the others are named as in `node:fs/promises`. */
export interface Fault {
  readonly call:
    | "flush folder"
    | "open folder"
    | "flush"
    | "read"
    | "write"
    | "link"
    | "mkdir"
    | "open";
  /** The system's code, such as `EINVAL`. */
  readonly code: string;
  /** Only paths that contain this. */
  readonly at?: string;
}

let faults: readonly Fault[] = [];
const paths = new Map<unknown, string>();

/** Lets calls fail until the result is disposed. */
export function failCalls(...failing: readonly Fault[]): Disposable {
  faults = failing;
  return {
    [Symbol.dispose]: () => {
      faults = [];
    },
  };
}

function isFolder(path: string): boolean {
  return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** @throws the fault of a call, if it has one */
function check(call: Fault["call"], path: unknown, hasPath = true): void {
  const text = String(path);
  const fault = faults.find((each) => each.call === call && text.includes(each.at ?? ""));
  if (fault === undefined) return;
  const { code } = fault;
  const syscall = call.startsWith("flush") ? "fsync" : (call.split(" ")[0] ?? call);
  const where = hasPath ? ` '${text}'` : "";
  throw Object.assign(new Error(`${code}: fault, ${syscall}${where}`), {
    code,
    syscall,
    ...(hasPath && { path: text }),
  });
}

type Call = (this: unknown, ...args: unknown[]) => unknown;

/** Runs `before` ahead of a call, and `after` with what it gives. */
function around(
  target: object,
  name: string,
  before: (args: readonly unknown[]) => void,
  after: (result: unknown, args: readonly unknown[]) => void = () => undefined,
): void {
  const original: unknown = Reflect.get(target, name);
  if (typeof original !== "function") return;
  const replaced: Call = function (...args) {
    try {
      before(args);
    } catch (error) {
      if (name.endsWith("Sync")) throw error;
      return Promise.reject(error);
    }
    const result: unknown = Reflect.apply(original, this, args);
    if (!(result instanceof Promise)) {
      after(result, args);
      return result;
    }
    return result.then((value: unknown) => {
      after(value, args);
      return value;
    });
  };
  Reflect.set(target, name, replaced);
}

function patch(): void {
  const opening = ([path]: readonly unknown[]) =>
    check(isFolder(String(path)) ? "open folder" : "open", path);
  const flushing = (path: string) => check(isFolder(path) ? "flush folder" : "flush", path, false);
  around(fs.promises, "open", opening, (handle, [path]) => {
    if (typeof handle !== "object" || handle === null) return;
    const text = String(path);
    for (const name of ["sync", "datasync"]) around(handle, name, () => flushing(text));
    for (const name of ["write", "writev", "writeFile"])
      around(handle, name, () => check("write", text, false));
    for (const name of ["read", "readFile"]) around(handle, name, () => check("read", text, false));
  });
  around(fs, "openSync", opening, (file, [path]) => paths.set(file, String(path)));
  around(
    fs,
    "closeSync",
    () => undefined,
    (_, [file]) => paths.delete(file),
  );
  around(fs, "readSync", ([file]) => check("read", paths.get(file) ?? "", false));
  for (const name of ["fsyncSync", "fdatasyncSync"])
    around(fs, name, ([file]) => flushing(paths.get(file) ?? ""));
  for (const name of ["writeFile", "appendFile", "writeFileSync"])
    around(name.endsWith("Sync") ? fs : fs.promises, name, ([to]) =>
      check("write", paths.get(to) ?? to),
    );
  for (const name of ["link", "mkdir"] as const) {
    around(fs.promises, name, ([path]) => check(name, path));
    around(fs, `${name}Sync`, ([path]) => check(name, path));
  }
  syncBuiltinESMExports();
}

patch();
const given = process.env["FAULTY_DISK"];
if (given !== undefined) failCalls(...JSON.parse(given));
