import { expect, test } from "vitest";
import type { LiveScene, LiveScope } from "../../../../../addon/hosts/live/sdk/live-api.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { StandInLive, type StandInOptions } from "./stand-in-live.ts";

async function setUp(options: StandInOptions = {}) {
  const live = new StandInLive(await temporaryFolder(), options);
  const clicked: unknown[] = [];
  live.context.commands.registerCommand("soundferry.import", (target) => clicked.push(target));
  const addTo = (scope: LiveScope) =>
    live.context.ui.registerContextMenuAction(scope, "Import", "soundferry.import");
  return { live, ui: live.context.ui, clicked, addTo };
}

test("a menu's entry runs its command with a handle that gives the object", async () => {
  const { live, clicked, addTo } = await setUp();
  addTo("Scene");
  addTo("ClipSlot");
  live.clickMenu("Scene", "Import", { scene: 1 });
  live.clickMenu("ClipSlot", "Import", { track: 1, scene: 0 });
  const { context } = live;
  const scene = context.getObjectFromHandle(clicked[0], "Scene") as LiveScene;
  expect(scene.name).toBe("Verse");
  expect(scene.handle).toEqual(context.application.song.scenes[1]?.handle);
  expect(context.getObjectFromHandle(clicked[1], "ClipSlot")).toMatchObject({ clip: null });
  expect(() => context.getObjectFromHandle(clicked[0], "ClipSlot")).toThrow("no such ClipSlot");
});

test("a menu has only what was registered", async () => {
  const { live, addTo } = await setUp();
  addTo("AudioTrack");
  live.clickMenu("AudioTrack", "Import", { track: 1 });
  expect(() => live.clickMenu("Scene", "Import")).toThrow("Nothing happens");
  live.context.ui.registerContextMenuAction("Scene", "Import", "no.such.command");
  expect(() => live.clickMenu("Scene", "Import")).toThrow("Nothing happens");
});

test("a modal dialog gives the page's text, and keeps the Set from changing while it is open", async () => {
  const { live, ui } = await setUp();
  const answer = Promise.withResolvers<string>();
  live.ui.answerDialog = () => answer.promise;
  const shown = ui.showModalDialog("data:text/html,", 760, 560);
  let isMade = false;
  const made = live.context.application.song.createScene(-1).then(() => (isMade = true));
  for (let turn = 0; turn < 20; turn += 1) {
    await new Promise((resolve) => void setImmediate(resolve));
  }
  expect(isMade).toBe(false);
  answer.resolve("chosen");
  expect(await shown).toBe("chosen");
  await made;
  expect(live.ui.dialogs).toEqual([{ url: "data:text/html,", width: 760, height: 560 }]);
});

test("the progress dialog shows what it is told until it is over", async () => {
  const { live, ui } = await setUp();
  let later: (text: string) => unknown = () => undefined;
  const outcome = await ui.withinProgressDialog("Import", { progress: 0 }, async (update) => {
    update("Kick", 50);
    later = update;
    return 7;
  });
  expect(outcome).toBe(7);
  expect(live.ui.progress).toEqual([
    { text: "Import", percent: 0 },
    { text: "Kick", percent: 50 },
  ]);
  await expect(Promise.resolve(later("late"))).rejects.toBeUndefined();
  expect(live.ui.progress).toHaveLength(2);
});

test.each([true, false])(
  "what went wrong inside it is lost, or is not: %s",
  async (losesReasons) => {
    const { ui } = await setUp({ losesReasons });
    const error = new Error("No");
    const shown = ui.withinProgressDialog("Import", {}, () => Promise.reject(error));
    const reason = await shown.catch((reason: unknown) => [reason]);
    expect(reason).toEqual([losesReasons ? undefined : error]);
  },
);
