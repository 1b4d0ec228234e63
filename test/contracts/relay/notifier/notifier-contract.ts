import assert from "node:assert/strict";
import type {
  Listener,
  Missed,
  Notification,
  Notifier,
  Topic,
} from "../../../../relay/domain/ports.ts";
import {
  type ContractCase,
  eventually,
  type MakeStore,
  PATIENCE_MS,
  type WaitOptions,
} from "../contract.ts";

const CHANGED: Notification = { type: "packages.changed" };

/** One process with a notifier, on a store that several of them share. */
export interface NotifyingProcess {
  readonly notifier: Notifier;
  /**
   * Durably changes something in the shared store, like a relay before it notifies. A notifier whose processes
   * learn of each other's changes from the store needs one.
   */
  change(): Promise<void>;
}

/** One promise of any notifier. */
interface NotifierCase {
  readonly title: string;
  readonly run: (open: () => Promise<NotifyingProcess>, patienceMs: number) => Promise<void>;
}

/** Makes a case for one process. */
function one(
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

/** Makes a case for two processes on one store. */
function two(
  title: string,
  run: (own: NotifyingProcess, other: NotifyingProcess, patienceMs: number) => Promise<void>,
): NotifierCase {
  return { title, run: async (open, patienceMs) => run(await open(), await open(), patienceMs) };
}

/** Runs each case on a separate store. */
function onNotifiers(
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
function collect(notifier: Notifier, topic: Topic): readonly Notification[] {
  const heard: Notification[] = [];
  notifier.listen(topic, (each) => void (each.type === "missed" || heard.push(each)));
  return heard;
}

/** Collects everything a listener of a topic hears. */
function collectAll(notifier: Notifier, topic: Topic): (Notification | Missed)[] {
  const heard: (Notification | Missed)[] = [];
  notifier.listen(topic, (each) => void heard.push(each));
  return heard;
}

/** The promises of a notifier to its listeners in this process. */
const LISTENING_CASES: readonly NotifierCase[] = [
  one(
    "[I3] notifications reach every listener of their topic, and nobody else, before notify resolves",
    async (notifier) => {
      const [first, second] = [collect(notifier, "device:1"), collect(notifier, "device:1")];
      const others: readonly Topic[] = ["device:2", "device:11", "package:1", "pairing:1"];
      const heardElsewhere = others.map((topic) => collect(notifier, topic));
      await notifier.notify("device:1", CHANGED);
      assert.deepEqual([first, second], [[CHANGED], [CHANGED]], "A listener was left out.");
      await notifier.notify("pairing:9", CHANGED);
      assert.deepEqual([first, second], [[CHANGED], [CHANGED]], "Another topic was heard.");
      assert.deepEqual(heardElsewhere.flat(), [], "Another topic was heard.");
    },
  ),

  one("[I3] notifications arrive in order, with their content", async (notifier) => {
    const heard = collect(notifier, "device:1");
    const sent: readonly Notification[] = [
      { type: "code.used", app_name: "Looper" },
      { type: "apps.changed" },
      { type: "code.used", app_name: "Second Looper" },
      CHANGED,
    ];
    for (const each of sent) await notifier.notify("device:1", each);
    assert.deepEqual(heard, sent);
  }),

  one("a stopped listener hears nothing more, even during a notification", async (notifier) => {
    const heard: string[] = [];
    const stops = [
      onNotified(notifier, () => {
        heard.push("first");
        stops[1]?.();
      }),
      onNotified(notifier, () => heard.push("second")),
    ];
    await notifier.notify("device:1", CHANGED);
    assert.deepEqual(heard, ["first"], "A listener heard of what came after it was stopped.");
    stops[0]?.();
    stops[0]?.();
    await notifier.notify("device:1", CHANGED);
    notifier.missed();
    assert.deepEqual(heard, ["first"], "A stopped listener was called.");
  }),

  one("a listener that starts during a notification hears only later ones", async (notifier) => {
    const heard: string[] = [];
    let starts = true;
    onNotified(notifier, () => {
      heard.push("first");
      if (starts) onNotified(notifier, () => heard.push("later"));
      starts = false;
    });
    await notifier.notify("device:1", CHANGED);
    assert.deepEqual(heard, ["first"], "A listener heard of what came before it.");
    await notifier.notify("device:1", CHANGED);
    assert.deepEqual(heard, ["first", "first", "later"]);
  }),

  one("a function that listens twice is called twice, until one is stopped", async (notifier) => {
    let heard = 0;
    const listener: Listener = ({ type }) => {
      if (type !== "missed") heard += 1;
    };
    const stop = notifier.listen("device:1", listener);
    notifier.listen("device:1", listener);
    await notifier.notify("device:1", CHANGED);
    assert.equal(heard, 2);
    stop();
    await notifier.notify("device:1", CHANGED);
    assert.equal(heard, 3);
    stop();
    await notifier.notify("device:1", CHANGED);
    assert.equal(heard, 4, "Stopping a listener twice stopped another one.");
  }),

  one("a listener that throws keeps nothing from the others", async (notifier) => {
    notifier.listen("device:1", () => {
      throw new Error("The listener of a contract case throws.");
    });
    const heard = collect(notifier, "device:1");
    let missed = 0;
    notifier.listen("device:2", ({ type }) => void (missed += type === "missed" ? 1 : 0));
    await notifier.notify("device:1", CHANGED);
    assert.deepEqual(heard, [CHANGED], "The listener after it was left out.");
    notifier.missed();
    assert.equal(missed, 1, "A listener was not told that it may have missed something.");
  }),
];

/** Listens to device 1. A notifier may say `missed` for no reason, so that is left out. */
function onNotified(notifier: Notifier, listener: () => void): () => void {
  return notifier.listen("device:1", ({ type }) => {
    if (type !== "missed") listener();
  });
}

const TOPICS: readonly Topic[] = ["device:1", "device:2", "package:1", "pairing:1"];

/** The promises of a notifier about notifications that may be lost (rule J6). */
const MISSING_CASES: readonly NotifierCase[] = [
  one("[J6] missed reaches every listener of every topic, once", async (notifier) => {
    const heard = [...TOPICS, ...TOPICS].map((topic) => collectAll(notifier, topic));
    let stopped = 0;
    notifier.listen("device:1", () => (stopped += 1))();
    for (const each of heard) each.length = 0;
    notifier.missed();
    for (const each of heard) assert.deepEqual(each, [{ type: "missed" }]);
    assert.equal(stopped, 0, "A stopped listener was called.");
  }),

  one("[J6] a listener can be stopped, or started, while all are notified", async (notifier) => {
    const heard: string[] = [];
    let stop: (() => void) | undefined;
    notifier.listen("device:1", () => {
      heard.push("first");
      if (stop === undefined) return;
      stop();
      stop = undefined;
      notifier.listen("device:1", () => heard.push("third"));
    });
    stop = notifier.listen("device:1", () => heard.push("second"));
    notifier.missed();
    assert.deepEqual(heard, ["first"]);
    notifier.missed();
    assert.deepEqual(heard, ["first", "first", "third"]);
  }),

  two("[J6] a notification reaches the other process, or it hears missed", async (...args) => {
    const [own, other, patienceMs] = args;
    for (let round = 0; round < 5; round += 1) {
      for (const [from, to] of [
        [own, other],
        [other, own],
      ] as const) {
        const heard = TOPICS.map((topic) => collectAll(to.notifier, topic));
        for (const topic of TOPICS) {
          await from.change();
          await from.notifier.notify(topic, CHANGED);
        }
        const words = "each listener in the other process hears the notification, or missed.";
        await eventually(words, () => heard.every((each) => each.length > 0), patienceMs);
      }
    }
  }),

  two("[J6] no notification is lost for ever among many", async (own, other, patienceMs) => {
    const count = 20;
    let changes = 0;
    let seen = 0;
    other.notifier.listen("device:1", () => (seen = changes));
    for (let index = 0; index < count; index += 1) {
      changes += 1;
      await own.change();
      await own.notifier.notify("device:1", CHANGED);
    }
    const words = "the other process hears something after the last change.";
    await eventually(words, () => seen === count, patienceMs);
  }),

  two("[I3] the other process hears nothing of other topics", async (own, other, patienceMs) => {
    const elsewhere = TOPICS.slice(1).map((topic) => collect(other.notifier, topic));
    const heard = collectAll(other.notifier, "device:1");
    await own.change();
    await own.notifier.notify("device:1", CHANGED);
    await eventually("the other process hears something.", () => heard.length > 0, patienceMs);
    assert.deepEqual(elsewhere.flat(), [], "Another topic was heard.");
  }),

  two("[J6] a listener that is stopped hears nothing of the other process", async (...args) => {
    const [own, other, patienceMs] = args;
    let stopped = 0;
    other.notifier.listen("device:1", () => (stopped += 1))();
    const heard = collectAll(other.notifier, "device:1");
    await own.change();
    await own.notifier.notify("device:1", CHANGED);
    await eventually("the other process hears something.", () => heard.length > 0, patienceMs);
    assert.equal(stopped, 0, "A stopped listener was called.");
  }),
];

/** Makes the cases for a `Notifier`, within one process and between two. */
export function notifierContract(
  make: MakeStore<NotifyingProcess>,
  options: WaitOptions = {},
): readonly ContractCase[] {
  return onNotifiers(make, [...LISTENING_CASES, ...MISSING_CASES], options);
}
