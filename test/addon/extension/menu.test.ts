import { expect, test } from "vitest";
import { registerMenu } from "../../../addon/extension/start-extension.ts";
import type { LiveScope } from "../../../addon/hosts/live/sdk/live-api.ts";
import { StandInLive } from "../hosts/live/stand-in/stand-in-live.ts";
import { temporaryFolder } from "../temporary-folder.ts";

test("[H9][H11] a menu that Live refuses, at once or later, doesn't affect the others", async () => {
  const shown: LiveScope[] = [];
  const ui = {
    registerContextMenuAction: (scope: LiveScope) => {
      if (scope === "Scene") throw new Error("There is no such menu.");
      if (scope === "ClipSlotSelection") return Promise.reject(undefined);
      shown.push(scope);
      return Promise.resolve();
    },
  };
  const { context } = new StandInLive(await temporaryFolder());
  registerMenu(
    { ...context, ui: Object.assign(context.ui, ui) },
    {
      choose: () => undefined,
      importNewest: () => undefined,
    },
  );
  // An unhandled rejection by then fails the test.
  await new Promise((resolve) => void setImmediate(resolve));
  expect(new Set(shown)).toEqual(new Set(["ClipSlot", "AudioTrack", "MidiTrack"]));
});
