import { expect, onTestFinished, test } from "vitest";
import { Cutter } from "../../sim/cutter.ts";
import { RunningRelay } from "../../relay/running-relay.ts";
import { soon } from "../../sim/soon.ts";
import { describeInBrowser } from "../shared-chromium.ts";
import {
  importerIn,
  importerPages,
  LARGE,
  notedStarts,
  receivingAt,
  relayWithImporter,
  sendSounds,
  tabs,
} from "./importer-page.ts";

const MIB = 1024 ** 2;
/** A connection breaks once it has carried so much of a sound. */
const MID_SOUND = { direction: "down", at: { bytes: 3 * MIB } } as const;
const FILES = {
  "Kit/one.wav": LARGE["one.wav"].byteLength,
  "Kit/two.wav": LARGE["two.wav"].byteLength,
};

/** A receiving page behind a line that breaks, with a package that waits. */
async function waitingOverLine() {
  const relay = await relayWithImporter();
  const line = await Cutter.to(relay.url, { waitsForTarget: true });
  onTestFinished(() => line[Symbol.asyncDispose]());
  const open = await tabs();
  const page = await open(`${line.url}/receive`);
  const { importer, token } = await receivingAt(page, relay, "folder");
  const packageId = await sendSounds(relay, token, LARGE);
  await importer.stateIs("(state) => state.packages.length === 1");
  return { relay, line, open, page, importer, token, packageId, starts: notedStarts(page) };
}

describeInBrowser("an import in a browser goes on (needs Chromium)", () => {
  test("[RC5] where the connection was cut, with nothing doubled and each hash right", async () => {
    const { relay, line, importer, token, packageId, starts } = await waitingOverLine();
    line.play({ ...MID_SOUND, does: "reset", times: 3 });
    await importer.send("beginRun", { packageId });
    await soon(async () => (await relay.status(token, packageId)).status).toBe("imported");
    expect(line.cuts).toBe(3);
    expect(starts.filter((start) => start > 0)).not.toEqual([]);
    expect(await importer.filesIn()).toMatchObject(FILES);
  });

  test("[RC5][RC6] after the relay was stopped and started in the middle", async () => {
    const { relay, line, importer, token, packageId, starts } = await waitingOverLine();
    line.play({ ...MID_SOUND, does: "stall" });
    await importer.send("beginRun", { packageId });
    await importer.stateIs("(state) => state.runs[0]?.progress?.phase === 'fetching'");
    line.close();
    await relay.stop();
    const again = await RunningRelay.start(
      { SOUNDFERRY_DATA: relay.folder },
      { pages: importerPages },
    );
    onTestFinished(() => again.stop());
    line.aimAt(again.url);
    line.repair();
    await soon(async () => (await again.status(token, packageId)).status).toBe("imported");
    expect(starts.length).toBeGreaterThan(2);
    expect(await importer.filesIn()).toMatchObject(FILES);
  });

  test("[RC6] in a new tab after its tab was killed, once, from what is on the disk", async () => {
    const { relay, line, open, page, importer, token, packageId } = await waitingOverLine();
    line.play({ ...MID_SOUND, does: "stall" });
    await importer.send("beginRun", { packageId });
    await importer.stateIs("(state) => state.runs[0]?.progress?.doneBytes > 0");
    await page.close();
    line.breakStalled();
    line.repair();
    const tab = await open("about:blank");
    const starts = notedStarts(tab);
    await tab.goto(`${line.url}/receive`);
    const next = importerIn(tab);
    await next.stateIs("(state) => state.finished.length === 1 && state.runs.length === 0");
    await soon(async () => (await relay.status(token, packageId)).status).toBe("imported");
    expect(Math.max(...starts)).toBeGreaterThan(MIB);
    const files = await next.filesIn();
    expect(files).toMatchObject(FILES);
    expect(Object.keys(files).filter((path) => path.endsWith(".wav"))).toHaveLength(2);
  });

  test("[RC6] a report that didn't arrive is sent by the next tab", async () => {
    const { relay, line, open, page, importer, token, packageId } = await waitingOverLine();
    line.play({ at: { text: "/results HTTP/1.1", isHeldBack: true }, does: "end" });
    await importer.send("beginRun", { packageId });
    await importer.stateIs("(state) => state.finished.length === 1");
    expect((await relay.status(token, packageId)).status).toBe("waiting");
    await page.close();
    line.repair();
    await open(`${line.url}/receive`);
    await soon(async () => (await relay.status(token, packageId)).status).toBe("imported");
  });
});
