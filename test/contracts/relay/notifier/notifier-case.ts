import type { Missed, Notification, Notifier, Topic } from "../../../../relay/domain/ports.ts";
import type { ContractCase, MakeStore, WaitOptions } from "../contract.ts";
import { PATIENCE_MS } from "../eventually.ts";

export const CHANGED: Notification = { type: "packages.changed" };

/** One process with a notifier, on a store that several of them share. */
export interface NotifyingProcess {
  readonly notifier: Notifier;
  /**
   * Durably changes something in the shared store, like a relay before it notifies. A notifier whose processes
   * learn of each other's changes from the store needs one.
   */
  change(): Promise<void>;
}

/** One promise of a notifier, before it is known which. */
export interface NotifierCase {
  readonly title: string;
  readonly run: (open: () => Promise<NotifyingProcess>, patienceMs: number) => Promise<void>;
}

/** A case for one process. */
export function one(
  title: string,
  run: (notifier: Notifier, process: NotifyingProcess) => Promise<void>,
): NotifierCase {
  return {
    title,
    run: async (open) => {
      const process = await open();
      await run(process.notifier, process);
    },
  };
}

/** A case for two processes on one store. */
export function two(
  title: string,
  run: (own: NotifyingProcess, other: NotifyingProcess, patienceMs: number) => Promise<void>,
): NotifierCase {
  return { title, run: async (open, patienceMs) => run(await open(), await open(), patienceMs) };
}

/** The same cases on a store of their own each. */
export function onNotifiers(
  make: MakeStore<NotifyingProcess>,
  cases: readonly NotifierCase[],
  { patienceMs = PATIENCE_MS }: WaitOptions,
): readonly ContractCase[] {
  return cases.map(({ title, run }) => ({
    title,
    run: async () => {
      await using under = await make();
      await run(() => under.open(), patienceMs);
    },
  }));
}

/** Collects the notifications of a topic. A notifier may say `missed` for no reason, so that is left out. */
export function collect(notifier: Notifier, topic: Topic): readonly Notification[] {
  const heard: Notification[] = [];
  notifier.listen(topic, (each) => void (each.type === "missed" || heard.push(each)));
  return heard;
}

/** Collects everything a listener of a topic hears. */
export function collectAll(notifier: Notifier, topic: Topic): (Notification | Missed)[] {
  const heard: (Notification | Missed)[] = [];
  notifier.listen(topic, (each) => void heard.push(each));
  return heard;
}
