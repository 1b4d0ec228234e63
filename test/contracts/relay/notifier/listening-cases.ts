import assert from "node:assert/strict";
import type { Listener, Notification, Notifier, Topic } from "../../../../relay/domain/ports.ts";
import { CHANGED, collect, type NotifierCase, one } from "./notifier-case.ts";

/** What a notifier promises its listeners in this process. */
export const LISTENING_CASES: readonly NotifierCase[] = [
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
