import { expect, test } from "vitest";
import { clientCode, CORS, describeInBrowser, useAppPages } from "./app-page.ts";
import { endless, FLOOD_BYTES } from "./hostile-server.ts";

const pages = useAppPages();

describeInBrowser("answers without an end in a browser (needs Chromium)", () => {
  test.each([
    ["an upload", 200, "NOT_A_RELAY", 'upload("/a.wav", new Blob(["x"]))'],
    ["a refused upload", 422, "REFUSED", 'upload("/a.wav", new Blob(["x"]))'],
    ["a call", 200, "NOT_A_RELAY", "me()"],
  ])("[W45] %s with %s reads no more than it may", async (_name, status, code, call) => {
    const server = await endless(status, CORS);
    const page = await pages.open();
    const client = clientCode(Number(new URL(server.url).port));
    expect(await page.evaluate(`${client}.${call}.catch(({ code }) => code)`)).toBe(code);
    expect(server.sentBytes()).toBeLessThan(FLOOD_BYTES);
  });
});
