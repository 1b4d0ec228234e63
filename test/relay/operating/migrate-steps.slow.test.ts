import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSource, openTarget } from "../../../relay/operating/moving/move-stores.ts";
import { emptyFolder } from "./backed-up-relay.ts";
import { movable, startOn } from "./movable-relay.ts";
import { contentOf, Steps } from "./moved-relay.ts";
import { moveBetween } from "./moving-relay.ts";

test("[SC22] stopped at every single step and started again, it goes on and ends the same", async () => {
  const { from, to, move } = await movable();
  const straight = await emptyFolder();
  for (let last = 1; ; last += 1) {
    const steps = new Steps(last);
    if (await moveSome(steps, from, to)) break;
    // A target is complete once its sounds have the relay's id.
    if (["keepInstance", "writeMark"].includes(steps.failed) && last > 2) continue;
    await expect(startOn(to), `A relay starts before ${steps.failed}`).rejects.toThrow();
  }
  expect(await move()).toMatchObject({ isNew: false, devices: 3, packages: 5, sounds: 4 });
  const once = await relayFolderMovedTo(from, straight);
  expect(await contentOf(to)).toEqual(once);
  await startOn(to);
});

/** Moves until a step fails. Returns whether it came to its end. */
async function moveSome(steps: Steps, from: string, to: string): Promise<boolean> {
  await using source = await openSource({ dataFolder: from }, from);
  await using target = await openTarget({ dataFolder: to }, to);
  return await steps.move(source, target);
}

/** The content of a folder after a move without a stop. */
async function relayFolderMovedTo(from: string, to: string) {
  await rm(join(from, "moved.json"));
  await moveBetween({ dataFolder: from }, { dataFolder: to });
  return contentOf(to);
}
