import { cp } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "vitest";
import { StartRefused } from "../../sim/killable-process.ts";
import { Site } from "../../sim/faults/site.ts";
import { TAMPERINGS } from "./tamperings.ts";
import { soon } from "../../sim/soon.ts";

const SENDERS = 8;
/** Enough for the relay to merge its write-ahead log several times. */
const FACTS_BEFORE = 200;

describe.concurrent("[Z8] a database that is", () => {
  test.for(TAMPERINGS)(
    "$title ends the relay, and nothing is answered that is lost",
    async ({ tamper }, { expect }) => {
      await using site = await Site.open();
      const { app, data: folder, database } = site;
      const olderCopy = join(site.folder, "older.sqlite");
      await app.announce(await app.pack(["kick.wav"], 100));
      await site.meet(true, () => cp(database, olderCopy));

      let answered = 0;
      let isTampered = false;
      const answeredAfter: string[] = [];
      const refused = new Set<string>();
      const send = async () => {
        for (;;) {
          const isAfter = isTampered;
          const key = await app.pack(["kick.wav"], 100);
          const { status, json } = await site.refusal(app.announce(key));
          // The process has ended.
          if (status === 0) return;
          if (status !== 200) refused.add(`${status} ${json.code}`);
          else if (isAfter) answeredAfter.push(key);
          answered += 1;
        }
      };
      const sending = Promise.all(Array.from({ length: SENDERS }, send));
      await soon(() => answered).toBeGreaterThan(FACTS_BEFORE);
      isTampered = true;
      tamper({ folder, olderCopy });
      const { status, stderr } = await site.ended();
      await sending;
      expect([status, ...refused]).toEqual([1, "503 NOT_READY"].slice(0, 1 + refused.size));
      expect(stderr).toContain(database);
      expect(stderr).toMatch(/soundferry relay (restore|check)|Start the relay again/);

      // A relay that starts on what is at the path now has all of it; one that refuses has nothing.
      await site.start().catch((error: unknown) => {
        if (!(error instanceof StartRefused)) throw error;
      });
      const isKept = async (key: string) => (await site.refusal(app.status(key))).status === 200;
      for (const key of answeredAfter) expect(await isKept(key), key).toBe(true);
    },
  );
});
