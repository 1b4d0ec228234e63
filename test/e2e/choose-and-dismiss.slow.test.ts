import { describe, expect, onTestFinished, test } from "vitest";
import { importerAtWork } from "../addon/importer-at-work.ts";
import { connected } from "../addon/named-relays.ts";
import { until } from "../sim/until.ts";
import { RunningRelay } from "../relay/running-relay.ts";

/** Starts a real relay and importer, with an app's package that waits for Import. */
async function withPackage(files: readonly string[]) {
  const relay = await RunningRelay.start();
  onTestFinished(() => relay[Symbol.asyncDispose]());
  const work = await connected(relay.url);
  const { code } = await work.importer.pairingCode();
  const token = await relay.claim(code);
  const packageId = await relay.send(token, files);
  await until(() => work.importer.state.packages.length === 1);
  return { ...work, relay, token, packageId, status: () => relay.status(token, packageId) };
}

const FILES = Array.from({ length: 32 }, (_, index) => `sound-${index + 1}.wav`);

describe("an app sees", () => {
  test("[R10][R11][S3] 5 of 32 sounds, and later all of them as they are, after a restart between", async () => {
    const { importer, relay, packageId, status, folder } = await withPackage(FILES);
    const five = ["3", "5", "8", "13", "21"];
    const some = await importer.import(packageId, { only: five });
    expect(some.tracks.filter(({ status }) => status === "imported").map(({ id }) => id)).toEqual(
      five,
    );
    const first = await status();
    expect(first.status).toBe("partial");
    const left = Object.values(first.results ?? {}).filter(({ status }) => status === "skipped");
    expect(left).toEqual(
      Array.from({ length: 27 }, () => ({ status: "skipped", error: "Not selected in Live." })),
    );
    await importer.close();

    const { importer: next, session } = await importerAtWork(relay.url, { folder });
    const rest = FILES.map((_, index) => String(index + 1)).filter((id) => !five.includes(id));
    await next.import(packageId, { only: rest });
    const second = await status();
    expect(second.status).toBe("imported");
    for (const id of five) expect(second.results?.[id]).toEqual(first.results?.[id]);
    const { scenes, tracks } = await session();
    expect([scenes.length, tracks.length]).toEqual([2, 32]);
  });

  test("[R12][S6] a dismissal, and can withdraw its package then", async () => {
    const { importer, relay, token, packageId } = await withPackage(["kick.wav"]);
    await importer.dismiss(packageId);
    const withdrawn = await relay.call("DELETE", `/packages/${packageId}`, { token });
    expect(withdrawn.status).toBe(200);
    await until(() => importer.state.packages.length === 0);
    await expect(importer.undoDismiss(packageId)).rejects.toThrow("The relay has no package");
  });
});
