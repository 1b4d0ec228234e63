import { runInThisContext } from "node:vm";

// Live runs an extension in a bare context with few of Node's globals. This file must be the bundle's
// first import: it adds those that the importer and its dependencies use. `conf` needs the events and
// the text coders, `chokidar` needs the clock.
const NEEDED = [
  "AbortController",
  "AbortSignal",
  "Event",
  "EventTarget",
  "TextDecoder",
  "TextEncoder",
  "performance",
];

for (const name of NEEDED) {
  if (!(name in globalThis)) Reflect.set(globalThis, name, runInThisContext(name));
}

recognizeErrors(runInThisContext("Error"));

/** Makes `instanceof Error`, but no subclass, also accept errors of Node's own context, which Node's modules throw. */
function recognizeErrors(nodesError: typeof Error): void {
  if (nodesError === Error) return;
  Object.defineProperty(Error, Symbol.hasInstance, {
    value(this: unknown, candidate: unknown): boolean {
      const isOwn: unknown = Function.prototype[Symbol.hasInstance].call(this, candidate);
      return isOwn === true || (this === Error && candidate instanceof nodesError);
    },
  });
}
