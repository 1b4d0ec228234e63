import assert from "node:assert/strict";
import type { Topic } from "../../../../relay/domain/ports.ts";
import { eventually } from "../eventually.ts";
import { CHANGED, collect, collectAll, type NotifierCase, one, two } from "./notifier-case.ts";

const TOPICS: readonly Topic[] = ["device:1", "device:2", "package:1", "pairing:1"];

/** What a notifier promises of notifications that may be lost (rule J6). */
export const MISSING_CASES: readonly NotifierCase[] = [
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
