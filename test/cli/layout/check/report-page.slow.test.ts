import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { fixtureFolder } from "../../../fixtures/fixture-packages.ts";
import { breachesOf } from "../../../pages/axe-check.ts";
import { describeInBrowser, sharedChromium } from "../../../pages/shared-chromium.ts";
import { makeMachine } from "../../run-soundferry.ts";

/** Short enough for a title. */
const HOSTILE = "<script>document.title=1</script><img src=x onerror=a()>";

/** Writes the report of a library with each kind of difference, and opens it. */
async function openReport() {
  const machine = await makeMachine();
  const library = join(machine.home, "library");
  await mkdir(library);
  const fixtures = ["half-beat-lengths", "one-shot-kit", "textures", "bare-minimum"];
  for (const name of fixtures) {
    await cp(fixtureFolder(name), join(library, name), { recursive: true });
  }
  const path = join(library, "half-beat-lengths", "manifest.json");
  const manifest = JSON.parse(await readFile(path, "utf8"));
  manifest.title = HOSTILE;
  manifest.items[0].warp_mode = "tones";
  manifest.items.pop();
  await writeFile(path, JSON.stringify(manifest, null, 2));
  await rm(join(library, "one-shot-kit", "expected"), { recursive: true });
  await writeFile(join(library, "textures", "manifest.json"), "{");
  const html = join(machine.home, "report.html");
  const { status } = await machine.run(["layout", library, "--check", "--html", html]);
  expect(status).toBe(1);
  const context = await (await sharedChromium()).newContext();
  const page = await context.newPage();
  const [asked, refused]: string[][] = [[], []];
  page.on("request", (request) => {
    if (!request.url().startsWith("data:")) asked?.push(request.url());
  });
  page.on("console", (message) => void refused?.push(message.text()));
  const { href } = pathToFileURL(html);
  await page.goto(href);
  const close = async (): Promise<void> => {
    await context.close();
    await machine[Symbol.asyncDispose]();
  };
  return { page, asked, refused, href, [Symbol.asyncDispose]: close };
}

/** Plays every sound; counts the players, those that have all their audio, and those that moved on. */
const PLAY_ALL = `(async () => {
  const players = [...document.querySelectorAll("audio")];
  const heard = await Promise.all(players.map(async (player) => {
    const moved = new Promise((resolve) => {
      player.addEventListener("timeupdate", () => player.currentTime > 0 && resolve(true));
      player.addEventListener("error", () => resolve(false));
    });
    player.muted = true;
    await player.play();
    return moved;
  }));
  const whole = players.filter(({ readyState }) => readyState === HTMLMediaElement.HAVE_ENOUGH_DATA);
  return { players: players.length, whole: whole.length, heard: heard.filter(Boolean).length };
})()`;

describeInBrowser("the page of layout --check --html (needs Chromium)", () => {
  test("[B11] loads nothing, runs nothing, and plays every sound that it shows", async () => {
    await using report = await openReport();
    const { page, asked, refused, href } = report;
    const headings = await page.getByRole("heading", { level: 2 }).allTextContents();
    expect(headings).toEqual([
      `${HOSTILE} (Limp)`,
      "Kitchen Kit (Spoon & Kettle)",
      expect.stringMatching(/textures$/),
    ]);
    expect(await page.title()).toBe("3 packages differ from what was accepted");
    expect(await page.getByText(/^4 packages, /).textContent()).toContain("1 match");
    expect(await page.evaluate(PLAY_ALL)).toEqual({ players: 11, whole: 11, heard: 11 });
    expect([asked, refused]).toEqual([[href], []]);
  });

  test("[B11] breaks no rule of axe, and a phone needs no sideways scrolling", async () => {
    await using report = await openReport();
    const { page } = report;
    expect(await breachesOf(page)).toEqual([]);
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")).toBe(
        0,
      );
    }
  });

  test("[B11] a keyboard reaches each package and each player", async () => {
    await using report = await openReport();
    const { page } = report;
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe("#package-2");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
      "Kick Deep, now",
    );
  });
});
