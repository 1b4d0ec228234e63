import { runCommand } from "../../cli/run-command.ts";

/** The end of a command. */
export interface Ending {
  /** Exit status; null if a signal ended it. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The emitters that a command may listen to in its process. */
const EMITTERS = [process, process.stdout, process.stderr];

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command to its end in this process, which for that time has another environment and keeps what is printed.
 * One at a time, because they share them. It proves nothing about signals or the end of a process.
 */
export function runInside(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ending> {
  const run = last.then(() => runAlone(words, environment));
  last = run.catch(() => undefined);
  return run;
}

async function runAlone(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ending> {
  const printed = { stdout: "", stderr: "" };
  using restored = new DisposableStack();
  restored.defer(replaceEnvironment(environment));
  restored.defer(keepListeners());
  for (const name of ["stdout", "stderr"] as const) {
    const write: unknown = Reflect.get(process[name], "write");
    restored.defer(() => Reflect.set(process[name], "write", write));
    process[name].write = (text: string | Uint8Array) => {
      printed[name] += String(text);
      return true;
    };
  }
  const { exitCode } = process;
  restored.defer(() => void (process.exitCode = exitCode));
  Reflect.set(process, "exitCode", undefined);
  await runCommand(words);
  return { status: Number(process.exitCode ?? 0), ...printed };
}

/** @returns what puts the former one back */
function replaceEnvironment(environment: Readonly<Record<string, string>>): () => void {
  const former = { ...process.env };
  const set = (wanted: NodeJS.ProcessEnv): void => {
    for (const name of Object.keys(process.env)) if (!(name in wanted)) delete process.env[name];
    Object.assign(process.env, wanted);
  };
  set(environment);
  return () => set(former);
}

/** @returns what removes the listeners that were added since */
function keepListeners(): () => void {
  const former = EMITTERS.map((emitter) =>
    emitter.eventNames().map((name) => [name, emitter.rawListeners(name)] as const),
  );
  return () => {
    for (const [index, emitter] of EMITTERS.entries()) {
      const before = new Map(former[index]);
      for (const name of emitter.eventNames()) {
        for (const listener of emitter.rawListeners(name)) {
          if (before.get(name)?.includes(listener) === true) continue;
          emitter.removeListener(name, listener as () => void);
        }
      }
    }
  };
}
