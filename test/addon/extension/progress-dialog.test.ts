import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { progressWords, underProgressDialog } from "../../../addon/extension/progress-dialog.ts";
import type { LiveUi } from "../../../addon/hosts/live/sdk/live-api.ts";
import { StandInLive } from "../hosts/live/stand-in/stand-in-live.ts";
import { temporaryFolder } from "../temporary-folder.ts";

async function standInUi() {
  const { ui } = new StandInLive(await temporaryFolder());
  return ui;
}

test("[H11] the progress of an import in words, from 0 to 100 percent", () => {
  const fetching = { phase: "fetching", totalBytes: 10_400_000 } as const;
  const placing = { phase: "placing", total: 4 } as const;
  const seen = [
    progressWords({ phase: "taken", runId: "1" }),
    progressWords({ ...fetching, doneBytes: 3_200_000 }),
    progressWords({ ...fetching, doneBytes: 10_400_000 }),
    progressWords({ ...placing, placed: 1 }),
    progressWords({ ...placing, placed: 4 }),
    progressWords({ phase: "reported", isKnown: true }),
  ];
  expect(seen).toEqual([
    { text: "Fetching sounds", percent: 0 },
    { text: "Fetching 3.2 of 10.4 MB", percent: 21 },
    { text: "Fetching 10.4 of 10.4 MB", percent: 70 },
    { text: "1 of 4 sounds placed", percent: 77 },
    { text: "4 of 4 sounds placed", percent: 99 },
    { text: "Done", percent: 100 },
  ]);
  expect(progressWords({ phase: "fetching", doneBytes: 0, totalBytes: 0 }).percent).toBe(70);
  expect(progressWords({ phase: "placing", placed: 0, total: 0 }).percent).toBe(99);
});

test("[H11] shows each percentage once, however often it is reported", async () => {
  const ui = await standInUi();
  const outcome = await underProgressDialog(ui, "Importing", async ({ onProgress }) => {
    for (let doneBytes = 0; doneBytes <= 10_000; doneBytes += 1) {
      onProgress({ phase: "fetching", doneBytes, totalBytes: 10_000 });
    }
    return "done";
  });
  expect(outcome).toBe("done");
  const percents = ui.progress.map(({ percent }) => percent);
  expect(percents).toEqual([0, ...Array.from({ length: 71 }, (_, percent) => percent)]);
});

test("[H11] what the work rejects with comes through, though Live loses reasons", async () => {
  const ui = await standInUi();
  const failing = underProgressDialog(ui, "Importing", async () => {
    throw new Error("The relay is away.");
  });
  await expect(failing).rejects.toThrow("The relay is away.");
});

test("[H11] Cancel aborts the signal; the work is waited for, also where Live closes the dialog at once", async () => {
  const ui = await standInUi();
  const closing: LiveUi = {
    registerContextMenuAction: () => undefined,
    showModalDialog: async () => "",
    async withinProgressDialog(text, options, act) {
      await Promise.race([ui.withinProgressDialog(text, options, act), setImmediate()]);
      throw new Error("closed");
    },
  };
  const ended = underProgressDialog(closing, "Importing", async ({ signal, onProgress }) => {
    ui.cancel();
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
    onProgress({ phase: "reported", isKnown: true });
    return signal.aborted;
  });
  expect(await ended).toBe(true);
});

test.each([
  ["later", () => Promise.reject(undefined)],
  [
    "at once",
    () => {
      throw new Error("It is closed.");
    },
  ],
])("[H11] a dialog that shows nothing more, and says so %s, harms no import", async (_, update) => {
  const deaf: Partial<LiveUi> = {
    withinProgressDialog: (_text, _options, act) => act(update, new AbortController().signal),
  };
  const outcome = await underProgressDialog(deaf as LiveUi, "Importing", async ({ onProgress }) => {
    onProgress({ phase: "reported", isKnown: true });
    // An unhandled rejection by then fails the test.
    await setImmediate();
    return "done";
  });
  expect(outcome).toBe("done");
});

test("[H8] starts nothing if Live can't show the dialog, and throws a sentence", async () => {
  const ui = await standInUi();
  const open = ui.showModalDialog("data:,", 1, 1);
  ui.answerDialog = () => "";
  let hasBegun = false;
  const refused = underProgressDialog(ui, "Importing", async () => {
    hasBegun = true;
  });
  await expect(refused).rejects.toThrow("Live couldn't show the progress.");
  expect(hasBegun).toBe(false);
  await open;
});
