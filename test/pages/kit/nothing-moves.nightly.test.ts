import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import { openClipPage } from "./clip-page.ts";
import { shiftsAfter } from "./nothing-moves.ts";

const browser = useBrowser();
const SHORT = { ms: 300 };

async function openWith(html: string): Promise<Page> {
  const page = await browser.open("about:blank");
  await page.setContent(
    `<style>body { margin: 0 } .in { height: 100px; overflow: auto }</style>${html}`,
  );
  return page;
}

describeInBrowser("the watch of what moves (needs Chromium)", () => {
  test("names a button that a click pushes down, and by how much", async () => {
    const page = await openWith(
      `<div id="a"><button onclick="a.style.marginBottom = '40px'">Act</button></div><button>Other</button>`,
    );
    const shifts = await shiftsAfter(page, () => page.getByText("Act").click(), SHORT);
    expect(shifts).toEqual([
      { element: "button “Other”", pixels: 40, afterMs: expect.any(Number) },
    ]);
  });

  test("sees a shift that comes later and goes back, and one that is slow", async () => {
    const page = await openWith(`<button id="a">Act</button><button id="b">Other</button>`);
    await page.evaluate(
      `setTimeout(() => { b.style.marginLeft = "30px"; setTimeout(() => { b.style.marginLeft = ""; }, 60); }, 80)`,
    );
    expect(await shiftsAfter(page, async () => {}, SHORT)).toMatchObject([{ pixels: 30 }]);
    await page.evaluate(`b.style.transition = "padding .3s linear"; b.style.paddingTop = "12px"`);
    expect((await shiftsAfter(page, async () => {}, { ms: 500 })).length).toBeGreaterThan(0);
  });

  test("sees a row that a new one pushes down, and not one that nobody could have met", async () => {
    const page = await openWith(
      `<div class="in"><ul style="margin:0;padding:0"><li style="height:30px">A</li></ul></div>
       <div style="position:relative;height:40px;overflow:hidden"><button style="position:absolute;top:90px">Hidden</button></div>`,
    );
    const prepend = () =>
      page.evaluate(
        `document.querySelector("ul").prepend(Object.assign(document.createElement("li"), { textContent: "B", style: "height:30px" })),
         document.querySelector("button").style.top = "200px"`,
      );
    const shifts = await shiftsAfter(page, prepend, SHORT);
    expect(shifts).toMatchObject([{ element: "li “A”", pixels: 30 }]);
  });

  test("sees a button that is replaced somewhere else, and one that comes under the pointer", async () => {
    const page = await openWith(`<div id="a"><button>Act</button> <button>Other</button></div>`);
    const swap = (html: string) => page.evaluate(`void (a.innerHTML = ${JSON.stringify(html)})`);
    const moved = await shiftsAfter(
      page,
      () => swap(`<button>Act</button><button style="margin-left: 50px">Other</button>`),
      SHORT,
    );
    expect(moved).toMatchObject([{ element: "button “Other”" }]);
    const replaced = await shiftsAfter(
      page,
      async () => {
        await page.getByText("Act").click();
        await swap(`<button>End</button>`);
      },
      SHORT,
    );
    expect(replaced).toMatchObject([{ element: "button “End” came under the pointer" }]);
  });

  test("scrolling is no shift; a row that moves within its scroller is one", async () => {
    const page = await openWith(
      `<div class="in"><div style="height:900px"><button id="a">Act</button></div></div>`,
    );
    const scroll = () => page.evaluate(`void (document.querySelector(".in").scrollTop = 10)`);
    expect(await shiftsAfter(page, scroll, SHORT)).toEqual([]);
    const move = () => page.evaluate(`void (a.style.marginTop = "20px")`);
    expect(await shiftsAfter(page, move, SHORT)).toHaveLength(1);
  });

  for (const width of [360, 768, 1280]) {
    test(`[X7] nothing moves in the frame at ${width} px: selection, play, ticks, arrivals, progress, a dialog`, async () => {
      const page = await openClipPage(browser, 12, width);
      const found: string[] = [];
      const step = async (name: string, act: () => Promise<unknown>): Promise<void> => {
        const shifts = await shiftsAfter(page, act, { ms: 500 });
        found.push(...shifts.map(({ element, pixels }) => `${name}: ${element} by ${pixels}`));
      };
      await page.getByRole("row", { name: /^Package 2,/ }).click();
      const row = page.getByRole("row", { name: /^Sound with a name 1,/ });
      await step("select", () => row.click());
      await step("play", () =>
        page.getByRole("button", { name: "Play Sound with a name 1", exact: true }).first().click(),
      );
      await step("cannot play", () =>
        page.getByRole("button", { name: "Play Sound with a name 6" }).click(),
      );
      await step("tick", () => page.getByRole("checkbox", { name: "Choose all" }).click());
      await step("keys", async () => {
        await row.focus();
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("m");
        await page.keyboard.press("Control+a");
      });
      await step("arrival", () =>
        page.evaluate(`setRows((rows) => [...rows, rowOf(12), rowOf(13)])`),
      );
      await step("progress", () =>
        page.evaluate(`setRows((rows) => rows.map((row, index) => ({ ...row, name: row.name + " – a longer name than before",
          state: { tone: "busy", words: "Downloading 3.1 of 20 MB", progress: index / 20 } })))`),
      );
      await step("dialog", () => page.getByRole("button", { name: "Settings" }).click());
      await step("dialog closed", () => page.keyboard.press("Escape"));
      expect(found).toEqual([]);
    });
  }
});
