import { describe, expect, test } from "vitest";
import {
  DAY,
  HOUR,
  jump,
  keptTime,
  newFolder,
  noticeOf,
  setClockInTests,
  start,
} from "./machine-clock.ts";
import { manifestOf } from "../manifest-of.ts";

setClockInTests();

describe("a clock that is set back by two days", () => {
  test("[Z6] what expires stands until it has caught up, also after a restart, and says so", async () => {
    const folder = await newFolder();
    const relay = await start(folder);
    const { token } = await relay.paired();
    const id = await relay.send(token);
    const proven = relay.relay.context.clock.confirmedNow();
    jump(-2 * DAY);
    expect(relay.relay.context.clock.confirmedNow()).toBe(proven);
    await relay.sweep();
    expect(noticeOf(relay)).toContain("soundferry relay check --reset-clock");
    await relay.stop();
    const again = await start(folder);
    expect(noticeOf(again)).toContain("--reset-clock");
    expect((await again.status(token, id)).status).toBe("waiting");
    const { now } = (await again.call("GET", "/importer/hello")).json;
    expect(Date.parse(now)).toBeGreaterThanOrEqual(proven);
    jump(2 * DAY);
    await again.sweep();
    expect(noticeOf(again)).toBeUndefined();
    expect((await again.status(token, id)).status).toBe("waiting");
  });

  test.each(["running", "stopped"])("[Z6] a %s relay follows it after a reset", async (state) => {
    const folder = await newFolder();
    const first = await start(folder);
    jump(-2 * DAY);
    const { upkeep } = first.relay.context;
    await (upkeep ?? expect.unreachable()).keep({ time: Date.now(), wasTimeReset: true });
    if (state === "stopped") await first.stop();
    const relay = state === "stopped" ? await start(folder) : first;
    await relay.sweep();
    expect(noticeOf(relay)).toBeUndefined();
    expect(relay.relay.context.clock.now()).toBeLessThan(Date.now() + 1000);
    const { token } = await relay.paired();
    const { package_id: id } = await relay.announce(token, manifestOf(["kick.wav"]));
    jump(0.6 * HOUR);
    expect(await keptTime(relay)).toBeLessThan(Date.now());
    expect((await relay.status(token, id)).status).toBe("uploading");
    jump(0.6 * HOUR);
    expect((await relay.status(token, id)).status).toBe("expired");
  });
});
