import { servePage } from "../../serve-page.ts";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeLocalPackage } from "../../addon/importer-at-work.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { RunningRelay } from "../../relay/running-relay.ts";
import { importerWithPanel, pairedApp, readCode, openPanel } from "./panel-at-work.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";
import { FRESH, OFFLINE, PAIRED } from "../../../scripts/pictures/canned-states.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();

/** A page of somebody else's, on another port of this computer: as near as a foreign page can come. */
const FOREIGN = "<!doctype html><title>Foreign</title><iframe name=frame></iframe>";

/** Everything that such a page can try; each gives what it learned. */
function attempts(panel: string, packageId: string, pairingId: string): string {
  return `(async () => {
    const panel = ${JSON.stringify(panel)};
    const request = JSON.stringify({ packageId: ${JSON.stringify(packageId)} });
    const path = "/control/apps/" + ${JSON.stringify(pairingId)};
    const learn = async (act) => { try { return await act(); } catch { return "nothing"; } };
    const read = (path, request) => learn(async () => {
      const answer = await fetch(panel + path, request);
      return answer.type === "opaque" ? "nothing" : answer.status + (await answer.text());
    });
    const guess = { "x-soundferry-secret": "guessed" };
    const framed = (frame) => new Promise((resolve) => {
      frame.onload = () => resolve(learn(() => frame.contentWindow.document.body.innerText || "nothing"));
      setTimeout(resolve, 3000, "nothing");
    });
    const sandboxed = () => new Promise((resolve) => {
      const frame = document.createElement("iframe");
      frame.sandbox = "allow-scripts";
      addEventListener("message", ({ data }) => resolve(data), { once: true });
      frame.srcdoc = "<script>fetch(" + JSON.stringify(panel + "/control/state") + ")" +
        ".then((answer) => answer.text()).catch(() => 'nothing')" +
        ".then((text) => parent.postMessage(text, '*'))</" + "script>";
      document.body.append(frame);
    });
    const submit = async () => {
      const form = document.createElement("form");
      Object.assign(form, { method: "post", action: panel + "/control/runs", target: "frame", enctype: "text/plain" });
      const field = document.createElement("input");
      field.name = request.slice(0, -1) + ', "a": "';
      field.value = '"}';
      form.append(field);
      document.body.append(form);
      const loaded = framed(document.querySelector("iframe"));
      form.submit();
      return loaded;
    };
    const socket = () => new Promise((resolve) => {
      const socket = new WebSocket(panel.replace("http", "ws") + "/control/state");
      socket.onmessage = ({ data }) => resolve(data);
      socket.onerror = () => resolve("nothing");
    });
    const script = () => new Promise((resolve) => {
      const element = document.createElement("script");
      element.src = panel + "/control/state";
      element.onerror = () => resolve("nothing");
      element.onload = () => resolve("loaded");
      document.body.append(element);
    });
    const frame = async () => {
      const element = document.createElement("iframe");
      const loaded = framed(element);
      element.src = panel + "/";
      document.body.append(element);
      return loaded;
    };
    return {
      list: await read("/control/state"),
      guess: await read("/control/state", { headers: guess }),
      plain: await read("/control/runs", { method: "POST", mode: "no-cors", body: request }),
      import: await read("/control/runs", { method: "POST", headers: guess, body: request }),
      unpair: await read(path, { method: "DELETE" }),
      guessUnpair: await read(path, { method: "DELETE", headers: guess }),
      page: await read("/"),
      form: await submit(),
      frame: await frame(),
      sandbox: await sandboxed(),
      socket: await socket(),
      script: await script(),
    };
  })()`;
}

describeInBrowser("a hostile page (needs Chromium)", () => {
  test("[N1] can't list, import or unpair, and learns nothing", async () => {
    await using relay = await RunningRelay.start();
    const folder = await temporaryFolder();
    await writeLocalPackage(join(folder, "inbox", "Kit"), "Kit", ["Kick"]);
    const { importer, port } = await importerWithPanel(relay.url, { folder });
    const { code } = await importer.pairingCode();
    const { client } = await pairedApp(relay.url, code, "Limp");
    const [app] = (await importer.apps()).apps;
    const [kit] = (await importer.packages()).local;
    const packageId = kit !== undefined && "package_id" in kit ? kit.package_id : "";
    expect(packageId).not.toBe("");

    const page = await browser.open(await servePage(FOREIGN), { isForeign: true });
    for (const host of ["127.0.0.1", "localhost"]) {
      const panel = `http://${host}:${port}`;
      const learned = await page.evaluate<Record<string, string>>(
        attempts(panel, packageId, app?.pairing_id ?? ""),
      );
      expect(Object.keys(learned)).toHaveLength(12);
      expect(new Set(Object.values(learned)), JSON.stringify(learned)).toEqual(
        new Set(["nothing"]),
      );
    }
    expect(importer.state.runs).toEqual([]);
    expect(importer.state.finished).toEqual([]);
    expect((await client.me()).device_name).toBe("Studio");
  });
});

describeInBrowser("a page that is opened before everything was read (needs Chromium)", () => {
  test("[N14] shows what waits, not the pairing code, once the relay has told of an app", async () => {
    const { importer, page } = await openPanel(browser, {
      ...FRESH,
      isReading: true,
      pairing: { code: null, expiresInSeconds: null, usedBy: null },
    });
    await page.getByText("Looking for packages…").first().waitFor();
    expect(await page.getByRole("heading", { name: "Pair an app" }).count()).toBe(0);
    importer.change({ ...PAIRED, isReading: false });
    await page.locator(".pick-list").waitFor();
    expect(importer.calls.map(({ path }) => path)).not.toContain("/control/pairing-code");
  });

  test("[N14] goes on to the code when there is no app and no package", async () => {
    const { importer, page } = await openPanel(browser, { ...FRESH, isReading: true });
    await page.getByText("Looking for packages…").first().waitFor();
    importer.change({ isReading: false });
    await page.getByText("K7M Q2X").waitFor();
  });

  test("[N14] says that the relay is away, and asks for no code", async () => {
    const { importer, page } = await openPanel(browser, { ...OFFLINE, isReading: true });
    await page
      .getByText(/does not answer/)
      .first()
      .waitFor();
    expect(await page.getByRole("heading", { name: "Pair an app" }).count()).toBe(0);
    expect(importer.calls.map(({ path }) => path)).not.toContain("/control/pairing-code");
  });

  test("[N14] a paired computer whose relay is away keeps its code to itself", async () => {
    const folder = await temporaryFolder();
    const relay = await RunningRelay.start();
    const first = await importerWithPanel(relay.url, { folder });
    const page = await browser.open(first.panelUrl);
    await pairedApp(relay.url, await readCode(page), "Windowsill");
    await page.getByText("Paired with Windowsill", { exact: true }).waitFor();
    await first.close();
    await relay[Symbol.asyncDispose]();

    const again = await importerWithPanel(relay.url, { folder });
    await page.goto(again.panelUrl);
    await page.getByText("No packages yet. They’ll appear here automatically.").first().waitFor();
    expect(await page.getByRole("heading", { name: "Pair an app" }).count()).toBe(0);
  });

  test("[N14][R5] a slow inbox never puts the relay's address before its packages", async () => {
    const folder = await temporaryFolder();
    for (let number = 0; number < 60; number++) {
      await writeLocalPackage(join(folder, "inbox", `Kit ${number}`), `Kit ${number}`, ["Kick"]);
    }
    const { panelUrl, importer } = await importerWithPanel(null, { folder });
    const page = await browser.open(panelUrl);
    await page
      .getByRole("button", { name: /^Import: Kit/ })
      .first()
      .waitFor();
    await soon(() => importer.state.local.length).toBe(60);
    expect(await page.getByRole("textbox", { name: "The relay’s address" }).count()).toBe(0);
  });
});
