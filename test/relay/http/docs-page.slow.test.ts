import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { html } from "../../../core/text/html.ts";
import { words } from "../../../relay/http/contract/docs-page/contract-text.ts";
import { describeInBrowser, useBrowser } from "../../pages/panel/panel-browser.ts";
import { breachesOf } from "../../pages/axe-check.ts";
import { smallWav } from "../../wav-bytes.ts";
import { RunningRelay } from "../running-relay.ts";
import { ContractWatch } from "./contract/contract-watch.ts";

const run = promisify(execFile);

describeInBrowser("the reference page (needs Chromium)", () => {
  const browser = useBrowser();

  test("[O5] is one file that loads nothing, with an anchor for every call and schema", async () => {
    await using relay = await RunningRelay.start();
    const page = await browser.open(`${relay.url}/docs`);
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(request.url()));
    await page.reload();
    expect(loaded.filter((url) => !url.startsWith("data:"))).toEqual([`${relay.url}/docs`]);
    expect(await page.locator("script").count()).toBe(0);
    const contract = (await relay.call("GET", "/openapi.json")).json;
    const { operations } = new ContractWatch(contract);
    const ids = [
      ...operations.keys(),
      ...Object.keys(contract.components.schemas).map((name) => `schema-${name}`),
    ];
    for (const id of ids) expect(await page.locator(`#${id}`).count(), id).toBe(1);
    const links = await page
      .locator('a[href^="#"]')
      .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
    expect(links.length).toBeGreaterThan(ids.length);
    for (const link of new Set(links)) expect(await page.locator(link).count(), link).toBe(1);
  });

  test("[O5] applies its style under its own policy, in light and dark, on a phone too", async () => {
    await using relay = await RunningRelay.start();
    const page = await browser.open(`${relay.url}/docs`);
    const ground = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    await page.emulateMedia({ colorScheme: "light" });
    const light = await ground();
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await ground()).not.toBe(light);
    await page.emulateMedia({ colorScheme: null });
    await page.setViewportSize({ width: 360, height: 640 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  });

  test("[O5] it breaks no rule of WCAG 2.2 A and AA", async () => {
    await using relay = await RunningRelay.start();
    expect(await breachesOf(await browser.open(`${relay.url}/docs`))).toEqual([]);
  });
});

test("[O5] escapes all text from the contract", () => {
  expect(html`${'<b class="a">&</b>'}`.text).toBe("&lt;b class=&quot;a&quot;&gt;&amp;&lt;/b&gt;");
  expect(words("a `<i>` b").text).toBe("a <code>&lt;i&gt;</code> b");
});

test("[O5] shows commands that run, and are answered as the contract says", async () => {
  await using relay = await RunningRelay.start();
  const { json } = await relay.call("GET", "/openapi.json");
  const watch = new ContractWatch(json);
  const page = (await relay.call("GET", "/docs")).text;
  const folder = await mkdtemp(join(tmpdir(), "soundferry-docs-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "kick.wav"), smallWav());
  const { importer, token } = await relay.paired();
  const id = await relay.send(token);
  for (const [operation, { security }] of watch.operations) {
    const start = page.indexOf(`<h3 id="${operation}">`);
    const [, escaped = ""] = /class="curl">([^<]*)</.exec(page.slice(start)) ?? [];
    const command = unescapeHtml(escaped);
    expect(command, operation).toMatch(/^curl "\$RELAY\//);
    // The socket stays open, and these two would break the others.
    if (["openSocket", "unpair", "removeComputer"].includes(operation)) continue;
    const isOfApp = security.some((one) => "appToken" in one);
    const RELAY = relay.url;
    const TOKEN = isOfApp ? token : importer.token;
    const quick = command.replace("wait=30", "wait=0");
    const { stdout } = await run(
      "bash",
      ["-c", `${quick} --silent -w '%{stderr}%{http_code}' 2>status; cat status`],
      {
        cwd: folder,
        env: { ...process.env, RELAY, TOKEN, PACKAGE_ID: id, PAIRING_ID: "pair_none" },
      },
    );
    const status = stdout.slice(-3);
    expect(Object.keys(watch.operation(operation).responses), operation).toContain(status);
    expect(["400", "401", "405"], `${operation} ${stdout}`).not.toContain(status);
  }
});

function unescapeHtml(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
