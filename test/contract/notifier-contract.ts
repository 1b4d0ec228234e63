import { describe, expect, test } from "vitest";
import type { Doorbell, Ring } from "../../relay/domain/notifier.ts";

const CHANGED: Ring = { type: "packages.changed" };

/** A doorbell and the errors of listeners that it was told of. */
export interface DoorbellUnderTest {
  readonly doorbell: Doorbell;
  readonly errors: readonly unknown[];
}

/** What every adapter of `Doorbell` does. */
export function doorbellContract(adapter: string, build: () => DoorbellUnderTest): void {
  describe(`${adapter}: rings`, () => {
    test("[I3] reach every listener of their topic before they resolve, and nobody else", async () => {
      const { doorbell } = build();
      const heard: string[] = [];
      doorbell.listen("device:1", (ring) => heard.push(`first ${ring.type}`));
      doorbell.listen("device:1", (ring) => heard.push(`second ${ring.type}`));
      doorbell.listen("device:2", () => heard.push("another device"));
      doorbell.listen("package:1", () => heard.push("a package"));
      await doorbell.ring("device:1", CHANGED);
      expect(heard).toEqual(["first packages.changed", "second packages.changed"]);
      await doorbell.ring("pairing:9", CHANGED);
      expect(heard).toHaveLength(2);
    });

    test("[I3] carry what they say", async () => {
      const { doorbell } = build();
      const heard: Ring[] = [];
      doorbell.listen("device:1", (ring) => heard.push(ring));
      await doorbell.ring("device:1", { type: "code.used", app_name: "Looper" });
      expect(heard).toEqual([{ type: "code.used", app_name: "Looper" }]);
    });

    test("who was stopped hears nothing more, stopped in the midst of a ring too", async () => {
      const { doorbell } = build();
      const heard: string[] = [];
      const stops = [
        doorbell.listen("device:1", () => {
          heard.push("first");
          stops[1]?.();
        }),
        doorbell.listen("device:1", () => heard.push("second")),
      ];
      await doorbell.ring("device:1", CHANGED);
      expect(heard).toEqual(["first"]);
      stops[0]?.();
      stops[0]?.();
      await doorbell.ring("device:1", CHANGED);
      expect(heard).toEqual(["first"]);
    });

    test("who begins to listen in the midst of a ring hears the next one", async () => {
      const { doorbell } = build();
      let heard = 0;
      const listen = () => {
        const stop = doorbell.listen("device:1", () => {
          heard += 1;
          stop();
          listen();
        });
      };
      listen();
      await doorbell.ring("device:1", CHANGED);
      expect(heard).toBe(1);
      await doorbell.ring("device:1", CHANGED);
      expect(heard).toBe(2);
    });

    test("one function may listen twice; stopping one leaves the other", async () => {
      const { doorbell } = build();
      let heard = 0;
      const hear = () => {
        heard += 1;
      };
      const stop = doorbell.listen("device:1", hear);
      doorbell.listen("device:1", hear);
      await doorbell.ring("device:1", CHANGED);
      expect(heard).toBe(2);
      stop();
      await doorbell.ring("device:1", CHANGED);
      expect(heard).toBe(3);
    });

    test("a listener that throws harms no other, and is told of", async () => {
      const { doorbell, errors } = build();
      const heard: string[] = [];
      doorbell.listen("device:1", () => {
        throw new Error("broken listener");
      });
      doorbell.listen("device:1", () => heard.push("second"));
      await doorbell.ring("device:1", CHANGED);
      expect(heard).toEqual(["second"]);
      expect(errors).toEqual([new Error("broken listener")]);
    });
  });
}
