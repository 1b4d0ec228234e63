import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeLocalPackage } from "./importer-at-work.ts";
import { liveAndPreview, SwitchableHost } from "./switchable-host.ts";
import { until } from "../sim/until.ts";

describe("the state's host", () => {
  test("[R9] follows every two seconds in a started importer, one look at a time", async () => {
    const { importer, live, timers } = await liveAndPreview();
    await importer.start();
    expect(importer.state.host).toMatchObject({ name: "preview", label: "Preview", trouble: null });
    live.isOn = true;
    timers.advance(2000);
    await until(() => importer.state.host.name === "live");
    expect(importer.state.host).toMatchObject({ label: "Live 12.1.5 Standard", trouble: null });
    await until(() => importer.state.host.tempoBpm === 97);

    let answer = (_isReady: boolean) => {};
    live.isReady = () => new Promise((resolve) => (answer = resolve));
    await until(() => timers.remaining.includes(2000));
    timers.advance(2000);
    expect(timers.remaining).not.toContain(2000);
    answer(false);
    await until(() => importer.state.host.name === "preview");
    await until(() => importer.state.host.tempoBpm === 120);
    await until(() => timers.remaining.includes(2000));
    await importer.close();
    expect(timers.remaining).not.toContain(2000);
  });

  test("[R9] that hasn't changed makes no new state", async () => {
    const { importer, live } = await liveAndPreview({ isOn: true });
    await importer.lookAtHost();
    const { state } = importer;
    await importer.lookAtHost();
    expect(live.timesAsked).toBe(2);
    expect(importer.state).toBe(state);
  });

  test("[R9] is the newest look's when an older one answers late", async () => {
    const { importer, live } = await liveAndPreview();
    let answer = (_isReady: boolean) => {};
    live.isReady = () => new Promise((resolve) => (answer = resolve));
    const late = importer.lookAtHost();
    const answerLate = answer;
    live.isReady = async () => true;
    await importer.lookAtHost();
    answerLate(false);
    await late;
    expect(importer.state.host.name).toBe("live");
  });

  test("[R9] says what to do while the only own host isn't ready, and imports say the same", async () => {
    const live = new SwitchableHost(false);
    const { importer, timers } = await liveAndPreview({
      work: { more: { preferredHosts: [], host: live } },
    });
    await importer.start();
    const sentence = "Live doesn't answer. Open Live.";
    expect(importer.state.host).toMatchObject({ name: "live", trouble: sentence });
    await expect(importer.import("pkg_1_____________________")).rejects.toThrow(sentence);
    live.isOn = true;
    timers.advance(2000);
    await until(() => importer.state.host.trouble === null);
    expect((await importer.import("pkg_1_____________________")).status).toBe("imported");
  });

  test("[R9] lists the inbox as the new host has it", async () => {
    const { importer, live, inboxFolder, timers } = await liveAndPreview();
    await writeLocalPackage(join(inboxFolder, "one"), "One", ["Kick"]);
    await importer.start();
    await importer.importAll();
    const isImported = (imported: boolean) =>
      importer.state.local.some((one) => "imported" in one && one.imported === imported);
    await until(() => isImported(true));
    live.isOn = true;
    timers.advance(2000);
    await until(() => isImported(false));
  });
});

test("[R9] import on arrival waits for a host that isn't ready yet", async () => {
  const live = new SwitchableHost(false);
  const more = { preferredHosts: [], host: live, autoImport: true };
  const { importer, inboxFolder, timers } = await liveAndPreview({ work: { more } });
  await writeLocalPackage(join(inboxFolder, "one"), "One", ["Kick"]);
  await importer.start();
  await until(() => timers.remaining.includes(30_000));
  expect(importer.state.finished).toEqual([]);
  live.isOn = true;
  timers.advance(30_000);
  await until(() => live.requests.length > 0);
});

test("[R9] closing an importer closes its own hosts, and the others that it opened", async () => {
  const [other, unused] = [new SwitchableHost(true), new SwitchableHost(true)];
  const otherHosts = new Map([
    ["other", async () => other],
    ["broken", () => Promise.reject(new Error("It is broken."))],
    ["unused", async () => unused],
  ]);
  const { importer, live } = await liveAndPreview({ work: { more: { otherHosts } } });
  await importer.import("pkg_1_____________________", { host: "other" });
  await expect(importer.import("pkg_1_____________________", { host: "broken" })).rejects.toThrow(
    "It is broken.",
  );
  expect([live, other].map(({ timesClosed }) => timesClosed)).toEqual([0, 0]);
  await importer.close();
  expect([live, other, unused].map(({ timesClosed }) => timesClosed)).toEqual([1, 1, 0]);
});
