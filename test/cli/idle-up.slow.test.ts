import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Machine, makeMachine } from "./run-soundferry.ts";

const COMMAND = join(import.meta.dirname, "../../cli/soundferry.ts");

/** Runs before a command, and writes at its end what Node and the command have loaded, and used of languages. */
const WATCH = `
  import { writeFileSync } from "node:fs";
  import { registerHooks } from "node:module";
  import { isMainThread } from "node:worker_threads";
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  const noted = (name) => ({
    construct: (...call) => (loaded.push(name), Reflect.construct(...call)),
    apply: (...call) => (loaded.push(name), Reflect.apply(...call)),
  });
  for (const name of ["Collator", "DateTimeFormat", "NumberFormat", "PluralRules", "Segmenter"]) {
    Intl[name] = new Proxy(Intl[name], noted("languages: " + name));
  }
  const compare = noted("languages: localeCompare");
  String.prototype.localeCompare = new Proxy(String.prototype.localeCompare, compare);
  process.on("exit", () => {
    if (isMainThread) writeFileSync(process.env.LOADED, [...process.moduleLoadList, ...loaded].join("\\n"));
  });
`;

/** Starts everything, stops it, and returns its port and what it had loaded. */
async function startOnce(machine: Machine, port: string) {
  const list = join(machine.home, "loaded.txt");
  const words = ["up", "--no-open", "--json", "--port", port];
  const running = machine.start(words, { LOADED: list });
  await running.until(({ stdout }) => stdout.endsWith("}\n"));
  running.interrupt();
  const { stdout } = await running.ended;
  const loaded = await readFile(list, "utf8");
  return { port: new URL(JSON.parse(stdout).relay_url).port, loaded };
}

test("a start that stores nothing keeps no code and no data that only others need", async () => {
  const watch = `data:text/javascript,${encodeURIComponent(WATCH)}`;
  await using machine = await makeMachine([process.execPath, "--import", watch, COMMAND]);
  const first = await startOnce(machine, "0");
  // It has stored its identity.
  expect(first.loaded).toMatch(/\/node_modules\/conf\//);
  const { loaded } = await startOnce(machine, first.port);
  expect(loaded).toMatch(/^NativeModule http$/m);
  expect(loaded).toMatch(/\/node_modules\/fastify\//);
  expect(loaded).not.toMatch(/\/node_modules\/(?:conf|ajv|ajv-formats|pg|@aws-sdk|prom-client)\//);
  expect(loaded).not.toMatch(/^NativeModule .*undici/m);
  expect(loaded).not.toMatch(/^languages: /m);
});
