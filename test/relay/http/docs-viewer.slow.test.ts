import { expect, test } from "vitest";
import { relayWithPage } from "../../pages/send/page-at-work.ts";
import { describeInBrowser, useBrowser } from "../../pages/panel/panel-browser.ts";
import { RunningRelay } from "../running-relay.ts";

describeInBrowser("the reference's viewer (needs Chromium)", () => {
  const browser = useBrowser();

  test("[O7] each call has an address, and works on a phone", async () => {
    const relay = await relayWithPage();
    const page = await browser.open(`${relay.url}/docs#/Packages/readStatus`);
    await page.locator('.opblock[id$="-readStatus"] .opblock-body').waitFor();
    await page.setViewportSize({ width: 375, height: 800 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(375);
  });
});

test("[O7] a relay without the viewer shows the page without script at /docs", async () => {
  await using relay = await RunningRelay.start();
  const plain = await relay.call("GET", "/docs");
  expect(plain.text).not.toContain("<script");
  expect(plain.headers.get("content-security-policy")).not.toContain("script-src");
  expect((await relay.call("GET", "/docs/viewer.js")).status).toBe(404);
});

test("[O7] the viewer's policy names no other origin, and no code or style in the page", async () => {
  const relay = await relayWithPage();
  const { headers, text } = await relay.call("GET", "/docs");
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(text).not.toMatch(/https?:|<style|<script>/);
  expect((await relay.call("GET", "/docs/licences.txt")).text).toContain("Apache License");
});
