import { expect, test } from "vitest";
import { showDialog } from "../../../addon/extension/panel-dialog.ts";
import { StandInLive } from "../hosts/live/stand-in/stand-in-live.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const SIZE = { width: 1, height: 1 };

test("[H11] waits 150 ms before it tries a dialog again, at most four times", async () => {
  const { ui } = new StandInLive(await temporaryFolder(), { refusedDialogs: 4 });
  const waits: number[] = [];
  const pause = async (ms: number) => void waits.push(ms);
  await showDialog(ui, "data:,1", SIZE, pause);
  expect(waits).toEqual([]);
  await showDialog(ui, "data:,2", SIZE, pause);
  expect(waits).toEqual([150, 150, 150, 150]);
});

test("[H8][H11] a dialog that is refused to the end is a sentence", async () => {
  const { ui } = new StandInLive(await temporaryFolder(), { refusedDialogs: 5 });
  const pause = async () => undefined;
  await showDialog(ui, "data:,1", SIZE, pause);
  await expect(showDialog(ui, "data:,2", SIZE, pause)).rejects.toThrow(
    "Live couldn't open the dialog.",
  );
});
