import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, test, expect } from "vitest";
import { describeInBrowser, useBrowser } from "../../pages/panel/panel-browser.ts";
import { readLoop, CODE, useSoundferry } from "./soundferry-at-work.ts";
import { soon } from "../../sim/soon.ts";

const PAGE = join(import.meta.dirname, "../../../docs/examples/web/index.html");

describeInBrowser("the web example (needs Chromium)", () => {
  const soundferry = useSoundferry();
  const { open } = useBrowser();
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    void readFile(PAGE).then((page) => response.end(page));
  });
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => void server.close());

  /** The page, on another origin than the relay's. */
  const openExample = async () => {
    // A server that listens on a port has an address of this kind.
    const { port } = server.address() as AddressInfo;
    const page = await open(`http://127.0.0.1:${port}/`);
    const said = async () => page.getByRole("status").innerText();
    const send = async (code: string) => {
      await page.getByLabel("Relay").fill(soundferry.relayUrl);
      await page.getByLabel("Pairing code").fill(code);
      await page.getByRole("button", { name: "Send" }).click();
    };
    return { said, send, reload: async () => page.reload() };
  };

  test("pairs, sends an exact loop and follows it until it is imported, and then needs no code", async () => {
    const { said, send, reload } = await openExample();
    await send(CODE);
    await soon(said).toBe("The package is imported.");
    await reload();
    expect(await said()).toBe("");
    await send("");
    await soon(said).toBe("The package is imported.");

    const [clip, ...more] = await soundferry.clipsOf("From a web page (Web example)");
    expect(more).toHaveLength(1);
    expect(clip).toMatchObject({
      track: "Four Notes (Web example)",
      looping: true,
      loop_beats: 4,
      tempo_bpm: 120,
      warp_mode: "complex_pro",
    });
    const { loudest, ...length } = await readLoop(clip?.file ?? "");
    expect(length).toEqual({ frames: 88_200, sampleRateHz: 44_100 });
    expect(loudest).toSatisfy((level: number) => level > 0.4 && level < 1);
  });

  test("shows the relay's sentence for a wrong code", async () => {
    const { said, send } = await openExample();
    await send("222222");
    await soon(said).toBe("This code is wrong, used or expired. Ask Live for a new one.");
  });
});
