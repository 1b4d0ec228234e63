import { expect, onTestFinished, test } from "vitest";
import { Cutter } from "../../sim/cutter.ts";
import { soon } from "../../sim/soon.ts";
import { describeInBrowser } from "../shared-chromium.ts";
import {
  importerIn,
  LARGE,
  receivingAt,
  relayWithImporter,
  sendSounds,
  tabs,
} from "./importer-page.ts";

const computers = async (relay: Awaited<ReturnType<typeof relayWithImporter>>) =>
  relay.logLines.filter((line) => line.includes('"/importer/register"')).length;

describeInBrowser("two tabs of a browser (needs Chromium)", () => {
  test("[RC3] only the first receives, and the second takes over when the first closes", async () => {
    const relay = await relayWithImporter();
    const open = await tabs();
    const page = await open(`${relay.url}/receive`);
    await receivingAt(page, relay, "zip");
    const second = importerIn(await open(`${relay.url}/receive`));
    await second.stageIs("elsewhere");
    await expect(second.send("openCode", { fresh: false })).rejects.toThrow("Another tab");
    await page.close();
    await second.stageIs("receiving");
    await second.stateIs("(state) => state.apps.length === 1");
    expect(await computers(relay)).toBe(1);
  });

  test("[RC3] a person moves a running import to another tab, which ends it once", async () => {
    const relay = await relayWithImporter();
    const line = await Cutter.to(relay.url);
    onTestFinished(() => line[Symbol.asyncDispose]());
    const open = await tabs();
    const page = await open(`${line.url}/receive`);
    const { importer, token } = await receivingAt(page, relay, "folder");
    const second = importerIn(await open(`${line.url}/receive`));
    await second.stageIs("elsewhere");
    const packageId = await sendSounds(relay, token, LARGE);
    await importer.stateIs("(state) => state.packages.length === 1");
    line.play({ direction: "down", at: { bytes: 3 * 1024 ** 2 }, does: "stall" });
    await importer.send("beginRun", { packageId });
    await importer.stateIs("(state) => state.runs[0]?.progress?.doneBytes > 0");
    await second.run("importer.takeOver()");
    await importer.stageIs("elsewhere");
    line.breakStalled();
    line.repair();
    await second.stateIs("(state) => state.finished.length === 1");
    await soon(async () => (await relay.status(token, packageId)).status).toBe("imported");
    const reports = () => relay.logLines.filter((text) => text.includes(`${packageId}/results`));
    await soon(reports).toHaveLength(1);
    const wavs = Object.keys(await second.filesIn()).filter((path) => path.endsWith(".wav"));
    expect(wavs).toHaveLength(2);
  });

  test("[RC3][RC2] two tabs that begin at once become one computer", async () => {
    const relay = await relayWithImporter();
    const open = await tabs();
    const pages = [await open(`${relay.url}/receive`), await open(`${relay.url}/receive`)];
    const both = pages.map(importerIn);
    await Promise.all(both.map((one) => one.stageIs("new")));
    await Promise.all(both.map((one) => one.begin()));
    const stages = () =>
      Promise.all(both.map((one) => one.run<string>("importer.view.stage"))).then((all) =>
        all.toSorted(),
      );
    await soon(stages).toEqual(["elsewhere", "receiving"]);
    expect(await computers(relay)).toBe(1);
  });
});
