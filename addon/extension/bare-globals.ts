import { runInThisContext } from "node:vm";

// Live runs an extension in a bare context: the language, and a little of Node. This file must be the
// first that the bundle imports. It supplies what the importer and its dependencies take for granted, and no more:
// `conf` needs the events and the text coders, `chokidar` the clock.
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

recogniseErrors(runInThisContext("Error"));

/**
 * Node's modules make their errors with the `Error` of their own context, so that a missing file would be no `instanceof
 * Error` here. This lets `Error`, and none of its subclasses, recognise both.
 */
function recogniseErrors(nodesError: typeof Error): void {
  if (nodesError === Error) return;
  Object.defineProperty(Error, Symbol.hasInstance, {
    value(this: unknown, candidate: unknown): boolean {
      const isOwn: unknown = Function.prototype[Symbol.hasInstance].call(this, candidate);
      return isOwn === true || (this === Error && candidate instanceof nodesError);
    },
  });
}
