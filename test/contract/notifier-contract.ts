import { describe, expect, test } from "vitest";
import type { Notifier, Notification } from "../../relay/domain/notifier.ts";

const CHANGED: Notification = { type: "packages.changed" };

/** A notifier, and the errors that its listeners threw. */
export interface NotifierUnderTest {
  readonly notifier: Notifier;
  readonly errors: readonly unknown[];
}

/** The contract suite of `Notifier`. */
export function notifierContract(adapter: string, build: () => NotifierUnderTest): void {
  describe(`${adapter}: notifications`, () => {
    test("[I3] reach every listener of their topic, and nobody else, before notify resolves", async () => {
      const { notifier } = build();
      const received: string[] = [];
      notifier.listen("device:1", (notification) => received.push(`first ${notification.type}`));
      notifier.listen("device:1", (notification) => received.push(`second ${notification.type}`));
      notifier.listen("device:2", () => received.push("another device"));
      notifier.listen("package:1", () => received.push("a package"));
      await notifier.notify("device:1", CHANGED);
      expect(received).toEqual(["first packages.changed", "second packages.changed"]);
      await notifier.notify("pairing:9", CHANGED);
      expect(received).toHaveLength(2);
    });

    test("[I3] arrive with their content", async () => {
      const { notifier } = build();
      const received: Notification[] = [];
      notifier.listen("device:1", (notification) => received.push(notification));
      await notifier.notify("device:1", { type: "code.used", app_name: "Looper" });
      expect(received).toEqual([{ type: "code.used", app_name: "Looper" }]);
    });

    test("do not reach a listener that was stopped, even during a notification", async () => {
      const { notifier } = build();
      const received: string[] = [];
      const stops = [
        notifier.listen("device:1", () => {
          received.push("first");
          stops[1]?.();
        }),
        notifier.listen("device:1", () => received.push("second")),
      ];
      await notifier.notify("device:1", CHANGED);
      expect(received).toEqual(["first"]);
      stops[0]?.();
      stops[0]?.();
      await notifier.notify("device:1", CHANGED);
      expect(received).toEqual(["first"]);
    });

    test("do not reach a listener that was added during the notification, only later ones", async () => {
      const { notifier } = build();
      let received = 0;
      const listen = () => {
        const stop = notifier.listen("device:1", () => {
          received += 1;
          stop();
          listen();
        });
      };
      listen();
      await notifier.notify("device:1", CHANGED);
      expect(received).toBe(1);
      await notifier.notify("device:1", CHANGED);
      expect(received).toBe(2);
    });

    test("reach one function twice if it listens twice, and once after one of the two stops", async () => {
      const { notifier } = build();
      let received = 0;
      const listener = () => {
        received += 1;
      };
      const stop = notifier.listen("device:1", listener);
      notifier.listen("device:1", listener);
      await notifier.notify("device:1", CHANGED);
      expect(received).toBe(2);
      stop();
      await notifier.notify("device:1", CHANGED);
      expect(received).toBe(3);
    });

    test("reach the other listeners when one throws, and the error is reported", async () => {
      const { notifier, errors } = build();
      const received: string[] = [];
      notifier.listen("device:1", () => {
        throw new Error("broken listener");
      });
      notifier.listen("device:1", () => received.push("second"));
      await notifier.notify("device:1", CHANGED);
      expect(received).toEqual(["second"]);
      expect(errors).toEqual([new Error("broken listener")]);
    });
  });
}
