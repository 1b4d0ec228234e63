import { test } from "vitest";
import { mkdir } from "node:fs/promises";
import { computerAt, relayWithPage } from "../../page/page-at-work.ts";
import { smallWav } from "../../wav-bytes.ts";
import { describeInBrowser, pairElement, tenLines, useElementPages } from "./element-page.ts";
const pages = useElementPages();
const file = (name: string, frames = 88_200) => ({ name, mimeType: "audio/wav", buffer: smallWav({ frames }) });
describeInBrowser("shots", () => {
  test("all", async () => {
    await mkdir("/tmp/el/shots", { recursive: true });
    const relay = await relayWithPage();
    const { importer, code } = await computerAt(relay.url);
    const page = await pages.open(tenLines(relay.url).replace("<head>", "<head><style>:root{color-scheme:light dark} body{margin:16px}</style>"));
    let n = 0;
    const shot = async (name: string) => {
      n += 1;
      for (const [scheme, width] of [["light", 640], ["dark", 640], ["light", 320]] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 420 });
        await page.screenshot({ path: `/tmp/el/shots/${n}-${name}-${scheme}-${width}.png` });
      }
      await page.setViewportSize({ width: 640, height: 420 });
    };
    await shot("pairing");
    await page.getByRole("textbox", { name: "Pairing code" }).fill("222 222");
    await page.getByRole("button", { name: "Pair", exact: true }).click();
    await page.locator("[part=errors] p").waitFor();
    await shot("refused");
    await pairElement(page, await code());
    await shot("empty");
    await page.getByRole("button", { name: "To Studio" }).click();
    await shot("computers");
    await page.getByRole("button", { name: "To Studio" }).click();
    await page.getByRole("button", { name: "Record" }).click();
    await page.getByRole("button", { name: "Stop at 0:02" }).waitFor();
    await shot("recording");
    await page.getByRole("button", { name: /Stop/ }).click();
    await page.getByRole("listitem").first().waitFor();
    await page.locator("input[type=file]").setInputFiles([file("Amen Break 120 BPM.wav"), file("A very long name of a kick that somebody gave a sound.wav", 9000)]);
    await page.getByRole("button", { name: /^Send to/ }).waitFor();
    await shot("sounds");
    await page.getByRole("button", { name: /^Send to/ }).click();
    await shot("asked");
    await page.getByRole("combobox", { name: /Recording/ }).selectOption("oneshot");
    await page.evaluate(`(() => { const open = XMLHttpRequest.prototype.send; globalThis.release = () => { XMLHttpRequest.prototype.send = open; for (const go of held) go(); }; globalThis.held = []; XMLHttpRequest.prototype.send = function (...args) { held.push(() => open.apply(this, args)); }; })()`);
    await page.getByRole("button", { name: /^Send to/ }).click();
    await page.getByRole("progressbar").waitFor();
    await shot("sending");
    await page.evaluate("release()");
    await page.getByText("Waiting for Import").first().waitFor();
    await shot("waiting");
    await importer.importAll();
    await page.getByText("All 3 sounds imported").first().waitFor();
    await shot("imported");
  });
});
