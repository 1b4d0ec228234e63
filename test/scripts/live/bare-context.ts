import { createRequire, builtinModules } from "node:module";
import { compileFunction, createContext, runInContext } from "node:vm";

/** Globals that Live's context may lack, besides everything outside the language and `GIVEN`. */
const MISSING = (
  "AbortController AbortSignal Blob Event EventTarget Headers ReadableStream Request " +
  "Response TextDecoder TextEncoder URL URLSearchParams WebAssembly WebSocket " +
  "WritableStream atob btoa clearImmediate crypto fetch performance queueMicrotask " +
  "setImmediate structuredClone"
).split(" ");

const GIVEN = {
  console,
  process,
  Buffer,
  setTimeout,
  clearTimeout,
  setInterval,
  clearInterval,
};

export interface LoadedExtension {
  activate(activation: object): void;
}

/**
 * Evaluates an extension as Live does: in a context with the language and a little of Node, without eval,
 * that can load only Node's own modules.
 * @throws {Error} if the context has more than it should
 */
export function loadExtension(code: string): LoadedExtension {
  const context = createContext({ ...GIVEN }, { codeGeneration: { strings: false, wasm: false } });
  runInContext("delete globalThis.WebAssembly", context);
  const found = MISSING.filter((name) => runInContext(`typeof ${name}`, context) !== "undefined");
  if (found.length > 0) throw new Error(`The context is not bare: ${found.join(", ")}.`);

  const extension: { exports: Partial<LoadedExtension> } = { exports: {} };
  const evaluate = compileFunction(code, ["module", "exports", "require"], {
    parsingContext: context,
    filename: "extension.js",
  });
  evaluate(extension, extension.exports, requireOfNode);
  const { activate } = extension.exports;
  if (activate === undefined) throw new Error("The extension exports no activate.");
  return { activate };
}

const requireAny = createRequire(process.execPath);

function requireOfNode(name: string): unknown {
  if (builtinModules.includes(name.replace(/^node:/, ""))) return requireAny(name);
  throw new Error(`There is no module ${name} in Live.`);
}
