import type { Answer } from "../answer.ts";
import { assertRefusal, assertSame, assertStatus, listOf, partOf } from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit } from "../kit.ts";
import { CALLS } from "../relay-calls.ts";
import { makeWav } from "../sounds.ts";
import { announcedBy, ownApp, readMe } from "./own-computer.ts";
import { openUpload } from "./uploads.ts";
import { beginWait, dueAnswer, onceRevoked, settled } from "./waking.ts";

const WAV = makeWav({ fill: 1 });

/** An app unpairs itself while an upload of it runs and a status call of it waits. */
interface UnpairedStory {
  readonly unpaired: Answer;
  readonly woken: () => Answer;
  readonly uploaded: () => Answer;
  readonly me: Answer;
  readonly statusAfter: Answer;
  /** Names of the computer's apps after that. */
  readonly names: readonly unknown[];
}

/** Calls of an app that unpairs itself, running and new. */
export const UNPAIRED_CHECKS: readonly Check[] = [
  {
    id: "wait-unpaired-itself",
    rule: "S8",
    title: "an app that unpairs itself ends its wait at once, with 401",
    isLong: true,
    run: async (kit) => assertRefusal((await unpairedStory(kit)).woken(), "TOKEN_UNKNOWN"),
  },
  {
    id: "unpair-running-upload",
    rule: "A3",
    title: "an upload that runs when its app is unpaired ends with 401",
    isLong: true,
    run: async (kit) => assertRefusal((await unpairedStory(kit)).uploaded(), "TOKEN_UNKNOWN"),
  },
  {
    id: "unpair-new-calls",
    rule: "A3",
    title: "after an unpairing every call with the token is 401, and the app is listed no more",
    isLong: true,
    run: async (kit) => {
      const { unpaired, me, statusAfter, names } = await unpairedStory(kit);
      assertStatus(unpaired, 200);
      assertRefusal(me, "TOKEN_UNKNOWN");
      assertRefusal(statusAfter, "TOKEN_UNKNOWN");
      assertSame(names, [], "Its names in the list of apps");
    },
  },
];

/** Runs once for all its checks. */
function unpairedStory(kit: Kit): Promise<UnpairedStory> {
  return kit.share("unpaired story", async () => {
    const app = await ownApp(kit, "leaving");
    const { token } = app;
    const made = await announcedBy(kit, app);
    const upload = openUpload(kit, made);
    upload.write(WAV.subarray(0, 100));
    const waiting = await beginWait(kit, made, "?wait=30");
    const unpaired = await kit.send(CALLS.unpair(), token);
    const woken = await settled(dueAnswer(kit, waiting));
    const me = await onceRevoked(kit, () => readMe(kit, token));
    upload.write(WAV.subarray(100));
    upload.end();
    const uploaded = await settled(dueAnswer(kit, upload));
    const listed = await kit.call("GET", "/importer/apps", { token: app.device.token });
    return {
      unpaired,
      woken,
      uploaded,
      me,
      statusAfter: await kit.status(made),
      names: listOf(listed.json, "apps")
        .map((one) => partOf(one, "app_name"))
        .filter((name) => name === "Conformance leaving"),
    };
  });
}
