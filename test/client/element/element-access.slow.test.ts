import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { breachesOf } from "../../pages/axe-check.ts";
import { computerAt, relayWithPage } from "../../pages/send/page-at-work.ts";
import { smallWav } from "../../wav-bytes.ts";
import { describeInBrowser, pairElement, tenLines, useElementPages } from "../app-page.ts";
import { soon } from "../../sim/soon.ts";
import { readPages } from "../../docs/read-pages.ts";

const pages = useElementPages();
const WITH_BOTH_SCHEMES =
  "<style>:root { color-scheme: light dark; background: Canvas; }</style><main>";

/** The page of ten lines, in a landmark and with a color scheme, as a real page has them. */
const realPage = (relayUrl: string): string =>
  tenLines(relayUrl).replace("<body>", `<body>${WITH_BOTH_SCHEMES}<h1>Looper</h1>`);

const CHOSEN = [
  ["Amen Break 120 BPM.wav", 88_200],
  ["A very long name that somebody gave to the sound of a kick.wav", 4410],
  ["Recording.wav", 99_999],
] as const;

/** Finds controls below 24 px, and elements that overflow at the right. */
const MISFITS = `[...element.shadowRoot.querySelectorAll("*")]
  .filter((one) => one.getClientRects().length > 0 && one.closest(".unseen") === null)
  .filter((one) => {
    const { width, height, right } = one.getBoundingClientRect();
    const isControl = one.matches("button, select, input:not([type=radio])");
    return right > innerWidth || (isControl && (width < 24 || height < 24));
  })
  .map((one) => one.outerHTML.slice(0, 120))`;

async function expectAccessible(page: Page, state: string): Promise<void> {
  expect(await breachesOf(page), state).toEqual([]);
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await page.evaluate(MISFITS), state).toEqual([]);
}

describeInBrowser("<soundferry-send> for everyone (needs Chromium)", () => {
  test("[W35] meets WCAG 2.2 AA in each state, in light and dark, down to 320 px", async () => {
    const relay = await relayWithPage();
    const { importer, code } = await computerAt(relay.url);
    const page = await pages.open(realPage(relay.url));
    await page.getByRole("textbox", { name: "Pairing code" }).fill("222 222");
    await page.keyboard.press("Enter");
    await page.getByText("This code is wrong, used or expired.").waitFor();
    await expectAccessible(page, "refused");
    await pairElement(page, await code());
    await page.getByRole("button", { name: "To Studio" }).click();
    await expectAccessible(page, "computers");
    await page.getByRole("button", { name: "To Studio" }).click();
    await page.getByRole("button", { name: "Record" }).click();
    await page.getByRole("button", { name: "Stop at 0:01" }).waitFor();
    await expectAccessible(page, "recording");
    await page.getByRole("button", { name: /^Stop at/ }).click();
    const files = CHOSEN.map(([name, frames]) => ({
      name,
      mimeType: "audio/wav",
      buffer: smallWav({ frames }),
    }));
    const refused = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no") };
    await page.locator("input[type=file]").setInputFiles([...files, refused]);
    await soon(() => page.getByRole("listitem").count()).toBe(CHOSEN.length + 1);
    await page.getByRole("button", { name: "Send to Studio" }).click();
    await page.getByText(/loops? or one-shots?\?/).waitFor();
    await expectAccessible(page, "asked");
    for (const select of await page.getByRole("combobox").all()) {
      if ((await select.inputValue()) === "") await select.selectOption("oneshot");
    }
    await page.getByRole("button", { name: "Send to Studio" }).click();
    await page.getByText("Waiting for Import", { exact: true }).waitFor();
    await expectAccessible(page, "waiting");
    await importer.importAll();
    await page.getByText("All 4 sounds imported", { exact: true }).waitFor();
    await expectAccessible(page, "imported");
  });

  test("[W35] works with the keyboard alone, keeps the focus, and announces changes", async () => {
    const relay = await relayWithPage();
    const { code } = await computerAt(relay.url);
    const page = await pages.open(tenLines(relay.url));
    const focused = () =>
      page.evaluate<string>(
        `(({ id, ariaLabel, textContent }) => id || ariaLabel || textContent)(element.shadowRoot.activeElement ?? document.body)`,
      );
    await page.keyboard.press("Tab");
    await page.keyboard.type(await code());
    await page.keyboard.press("Enter");
    await soon(focused).toBe("choose");
    await page.getByRole("status").filter({ hasText: "Paired with Studio." }).waitFor();
    const kick = { name: "Kick.wav", mimeType: "audio/wav", buffer: smallWav() };
    await page.locator("input[type=file]").setInputFiles([kick]);
    await page.getByRole("status").filter({ hasText: "1 sound added." }).waitFor();
    await page.getByRole("button", { name: "Remove Kick" }).focus();
    await page.keyboard.press("Enter");
    await soon(focused).toBe("choose");
    await page.locator("input[type=file]").setInputFiles([kick]);
    await page.getByRole("button", { name: "Send to Studio" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("status").filter({ hasText: "Kick: Waiting for Import." }).waitFor();
    await soon(focused).toBe("more");
  });

  test("[W36] speaks the page's language or the app's own words, and takes its colors", async () => {
    const relay = await relayWithPage();
    const { code } = await computerAt(relay.url);
    const page = await pages.open(tenLines(relay.url).replace('lang="en"', 'lang="de-AT"'));
    await page.getByRole("textbox", { name: "Kopplungscode" }).fill(await code());
    await page.getByRole("button", { name: "Koppeln" }).click();
    await page.getByRole("button", { name: "Dateien wählen" }).waitFor();
    await page.evaluate(`element.texts = { chooseFiles: "Nimm {computer}", record: "Sing" }`);
    await page.getByRole("button", { name: "Sing" }).waitFor();
    await page.evaluate(`element.lang = "fr"`);
    await page
      .getByRole("button", { name: "Vers Studio" })
      .or(page.getByText("Studio"))
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Sing" }).waitFor();
    const color = await page.evaluate(`(() => {
      element.style.setProperty("--soundferry-ground", "rgb(1, 2, 3)");
      return getComputedStyle(element.shadowRoot.querySelector(".box")).backgroundColor;
    })()`);
    expect(color).toBe("rgb(1, 2, 3)");
  });

  test("[W36] works under a strict content policy, which allows no Worker", async () => {
    const relay = await relayWithPage();
    const { importer, code } = await computerAt(relay.url);
    const policy = `default-src 'none'; script-src 'self'; connect-src ${relay.url}`;
    const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
    const page = await pages.open(tenLines(relay.url).replace("<title>", `${meta}<title>`));
    await pairElement(page, await code());
    const large = {
      name: "Take.wav",
      mimeType: "audio/wav",
      buffer: smallWav({ frames: 900_000 }),
    };
    await page.locator("input[type=file]").setInputFiles([large]);
    await page.getByRole("combobox").selectOption("oneshot");
    await page.getByRole("button", { name: "Send to Studio" }).click();
    await page.getByText("Waiting for Import", { exact: true }).waitFor();
    await importer.importAll();
    await page.getByText("1 sound imported", { exact: true }).waitFor();
    const { borderRadius } = await page.evaluate<{ borderRadius: string }>(
      "({ borderRadius: getComputedStyle(element.shadowRoot.querySelector('[part=box]')).borderRadius })",
    );
    expect(borderRadius).not.toBe("0px");
  });
});

// Runs the examples of the element and of the audio on docs/use/client.md, which are for browsers.

const BLOCKS = readPages().find(({ path }) => path === "docs/use/client.md")?.blocks ?? [];
const FIRST = `<script type="module" src="/element.js"></script>`;

/** Names that the page's examples take as given. */
const GIVEN = `(() => {
  const bytes = new Uint8Array(${JSON.stringify([...smallWav({ frames: 88_200 })])});
  globalThis.file = new File([bytes], "Drums 120.wav");
  globalThis.recordedBlob = new Blob([bytes]);
  globalThis.audioBuffer = new AudioBuffer({ length: 88200, sampleRate: 44100 });
})()`;

function blockWith(text: string): string {
  const [block, ...more] = BLOCKS.filter((one) => one.text.includes(text));
  expect(more).toEqual([]);
  return block?.text ?? "";
}

describeInBrowser("docs/use/client.md (needs Chromium)", () => {
  test("[W34] the element takes the sounds of its example", async () => {
    const tag = blockWith("<soundferry-send relay=");
    const page = await pages.open(FIRST + tag);
    await page.evaluate(GIVEN);
    await page.evaluate(`(async () => {${blockWith("element.sounds =")}})()`);
    await soon(() => page.getByRole("listitem").count()).toBe(3);
  });

  test("[W32] the audio's example converts and guesses", async () => {
    const page = await pages.open(FIRST + blockWith("<soundferry-send relay="));
    await page.evaluate(GIVEN);
    const program = blockWith("@soundferry/client/audio").replace(
      "@soundferry/client/audio",
      "/audio.js",
    );
    const result = "globalThis.result = [wav.size, converted.size, header.frames, kind, bpm];";
    await page.addScriptTag({ type: "module", content: program + result });
    await page.waitForFunction("globalThis.result !== undefined");
    expect(await page.evaluate("globalThis.result")).toEqual([
      264_644,
      176_444,
      88_200,
      "loop",
      120,
    ]);
  });
});
