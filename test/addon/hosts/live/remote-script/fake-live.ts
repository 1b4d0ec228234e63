import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { FakeHabits } from "./fake-live-habits.ts";
import type { FakeClip, FakeScene, FakeSet, FakeSetGiven } from "./fake-live-set.ts";

const RUN_LIVE = join(import.meta.dirname, "fake-live/run_live.py");

export interface FakeLiveOptions {
  /** The folder in which the script's package lies. */
  readonly scriptFolder: string;
  /** The package; `Soundferry` by default. */
  readonly scriptName?: string;
  readonly habits?: Partial<FakeHabits>;
  readonly set?: FakeSetGiven;
  /** `python3` by default. */
  readonly pythonPath?: string;
  /** Added to the process's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** All that the fake recorded since it was opened. */
export interface FakeLog {
  readonly calls: readonly FakeCall[];
  readonly callbacks: readonly FakeCallback[];
  readonly faults: readonly FakeFault[];
  readonly messages: readonly { readonly kind: "log" | "show"; readonly text: string }[];
  /** Undo entries, oldest first, with the changes that each takes back. */
  readonly undo: readonly {
    readonly author: "script" | "user";
    readonly labels: readonly string[];
  }[];
  readonly tick: number;
  /** The number of times that the script read an object's address. */
  readonly pointerReads: number;
}

/** One read, write or method call of the script. */
export interface FakeCall {
  /** Counted from 1. */
  readonly number: number;
  /** Such as `Clip.gain`, `Clip.gain=` or `Song.create_scene`. */
  readonly call: string;
  readonly changes: boolean;
  readonly callback: number;
  readonly ms: number;
  readonly error: string | null;
}

/** One call by Live into the script. */
export interface FakeCallback {
  readonly number: number;
  readonly kind: string;
  readonly tick: number;
  readonly calls: number;
  readonly wallMs: number;
  /** The fake's own part of `wallMs`. */
  readonly ownMs: number;
  /** The script's own processor time, which a busy machine doesn't lengthen. */
  readonly scriptCpuMs: number;
}

/** A `violation` is what a right script never does; a `refusal` is Live's no. */
export interface FakeFault {
  /** Such as `START_BEFORE_LOOPING`. */
  readonly name: string;
  readonly kind: "violation" | "refusal";
  readonly detail: string;
  readonly call: number;
  readonly callback: number;
}

/** An action of a person in Live between two ticks. Places are counted from 0. */
export type FakeEdit =
  | { readonly do: "insertTrack"; readonly index: number; readonly name?: string }
  | { readonly do: "insertScene"; readonly index: number; readonly name?: string }
  | { readonly do: "renameTrack" | "renameScene"; readonly index: number; readonly name: string }
  | { readonly do: "moveTrack" | "moveScene"; readonly index: number; readonly to: number }
  | {
      readonly do: "deleteTrack" | "deleteScene" | "selectTrack" | "selectScene";
      readonly index: number;
    }
  | { readonly do: "deleteClip" | "openClip"; readonly track: number; readonly scene: number }
  | {
      readonly do: "changeClip";
      readonly track: number;
      readonly scene: number;
      readonly to: Partial<FakeClip>;
    }
  | { readonly do: "changeScene"; readonly index: number; readonly to: Partial<FakeScene> }
  | { readonly do: "undo" | "redo" | "play" | "stop" };

/** The end of Live, with the Set and the log of that moment if it was killed at a call or crashed. */
export interface FakeEnd {
  readonly event: "killed" | "crashed" | "ended";
  readonly set: FakeSet | null;
  readonly log: FakeLog | null;
}

/** A Live that runs a script. Its calls reject when it ends, and when it doesn't understand them. */
export interface FakeLive extends AsyncDisposable {
  /** Lets so many ticks pass. */
  tick(count?: number): Promise<void>;
  /** Runs freely; after `pause`, the held ticks come in a burst. */
  run(): Promise<void>;
  /** Ticks only by `tick` from now on. */
  stop(): Promise<void>;
  /** A menu is open. */
  pause(): Promise<void>;
  dump(): Promise<FakeSet>;
  log(): Promise<FakeLog>;
  /** Saves the Set and opens it again, or opens another one. All objects of the old one are gone. */
  reload(set?: FakeSetGiven): Promise<void>;
  edit(edit: FakeEdit): Promise<void>;
  change(habits: Partial<FakeHabits>): Promise<void>;
  /** Dies at the n-th call from now, counted from 1: any call, or one that changes the Set. */
  killAt(
    at: number,
    how?: { readonly of?: "all" | "changes"; readonly when?: "before" | "after" },
  ): Promise<void>;
  /** Dies at once. */
  kill(): Promise<void>;
  /** Quits as a person does: the script is disconnected. */
  close(): Promise<FakeLog>;
  readonly ended: Promise<FakeEnd>;
  /** The output of the script so far. */
  printed(): string;
}

/**
 * Starts a fake Live with a script in it. It stands still until `tick` or `run`.
 * @throws {Error} if Python can't be started
 */
export async function openFakeLive(options: FakeLiveOptions): Promise<FakeLive> {
  const { scriptFolder, scriptName = "Soundferry", habits = {}, set = {} } = options;
  const wire = startPython(options);
  await wire.call("open", { folder: scriptFolder, package: scriptName, habits, set });
  return {
    tick: async (count = 1) => void (await wire.call("tick", { count })),
    run: async () => void (await wire.call("run")),
    stop: async () => void (await wire.call("stop")),
    pause: async () => void (await wire.call("pause")),
    dump: async () => (await wire.call("dump")) as FakeSet,
    log: async () => (await wire.call("log")) as FakeLog,
    reload: async (other) => void (await wire.call("reload", other ? { set: other } : {})),
    edit: async (edit) => void (await wire.call("edit", edit)),
    change: async (changed) => void (await wire.call("change", { habits: changed })),
    killAt: async (at, how = {}) => void (await wire.call("killAt", { at, ...how })),
    kill: wire.kill,
    close: async () => {
      const log = (await wire.call("close")) as FakeLog;
      await wire.ended;
      return log;
    },
    ended: wire.ended,
    printed: wire.printed,
    [Symbol.asyncDispose]: wire.kill,
  };
}

interface Answer {
  readonly id?: number;
  readonly ok?: unknown;
  readonly error?: string;
  readonly event?: "killed" | "crashed";
  readonly set?: FakeSet;
  readonly log?: FakeLog;
}

function startPython({ pythonPath = "python3", env = {} }: FakeLiveOptions) {
  const python = spawn(pythonPath, [RUN_LIVE], {
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1", PYTHONIOENCODING: "utf-8", ...env },
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let [calls, printed, failure] = [0, "", ""];
  let end: FakeEnd = { event: "ended", set: null, log: null };
  python.stderr.setEncoding("utf8").on("data", (text: string) => (printed += text));
  // Writing to a process that has just ended fails; `ended` says so.
  python.stdin.on("error", () => {});
  createInterface({ input: python.stdout }).on("line", (line) => {
    const { id, ok, error, event, set = null, log = null } = JSON.parse(line) as Answer;
    if (event !== undefined) end = { event, set, log };
    if (id === undefined) return;
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve(ok);
    else call?.reject(new Error(error));
  });
  const ended = new Promise<FakeEnd>((resolve) => {
    python.on("error", (error) => (failure = `${pythonPath}: ${error.message}`));
    python.on("close", () => {
      for (const call of waiting.values()) call.reject(new Error(why()));
      waiting.clear();
      resolve(end);
    });
  });
  const why = () => failure || `The fake Live ${end.event}. ${printed.slice(-2000)}`;
  return {
    ended,
    printed: () => printed,
    call(name: string, given: object = {}): Promise<unknown> {
      calls += 1;
      const call = Promise.withResolvers<unknown>();
      if (python.exitCode !== null || python.signalCode !== null || failure !== "") {
        call.reject(new Error(why()));
      } else {
        waiting.set(calls, call);
        python.stdin.write(`${JSON.stringify({ id: calls, call: name, with: given })}\n`);
      }
      return call.promise;
    },
    kill: async (): Promise<void> => {
      python.kill("SIGKILL");
      await ended;
    },
  };
}
