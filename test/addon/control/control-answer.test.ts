import { createHash } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import {
  answerPage,
  type PageOptions,
  STRETCH_ROUTE,
} from "../../../addon/control/control-answer.ts";
import type { ControlCall } from "../../../addon/control/control-call.ts";
import { serveControl } from "../../../addon/control/control-server.ts";
import { readStretchScript } from "../../../scripts/read-stretch-script.ts";
import { ask } from "./ask.ts";

const SCRIPT = 'document.title = "Grüße";\n';
const PAGE = `<!doctype html><style>p{color:red}</style><script type="module">${SCRIPT}</script><p>✓</p>`;

const SECRETLESS = { "x-soundferry-secret": undefined };

async function servePage(html: string, options?: PageOptions): Promise<number> {
  const handle = async (call: ControlCall) => answerPage(call, html, options);
  const routes = [{ method: "GET", path: "/", isOpen: true, handle }, STRETCH_ROUTE];
  const server = await serveControl(routes, { port: 0, secret: "never shown" });
  onTestFinished(() => server.close());
  return server.port;
}

async function getPage(html: string) {
  return ask(await servePage(html), { path: "/", headers: SECRETLESS });
}

test("[N1] the page runs only what stands in it, calls only its own server, and is framed by nobody", async () => {
  const page = await getPage(PAGE);
  expect(page.bytes.toString()).toBe(PAGE);
  expect(page.headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  });
  const policy = String(page.headers["content-security-policy"]).split("; ");
  const digest = (text: string) => createHash("sha256").update(text).digest("base64");
  expect(policy).toEqual([
    "default-src 'none'",
    `script-src 'sha256-${digest(SCRIPT)}'`,
    `style-src 'sha256-${digest("p{color:red}")}'`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
});

test("[N1] a page without any script may run none", async () => {
  const { headers } = await getPage("<p>Soundferry</p>");
  expect(headers["content-security-policy"]).toContain("; script-src; style-src; ");
});

test("[N10] a page that may stretch sounds can load one more script: the module, from its own server's exact address", async () => {
  const port = await servePage(PAGE, { canStretch: true });
  const { headers } = await ask(port, { path: "/", headers: SECRETLESS });
  expect(headers["content-security-policy"]).toMatch(
    new RegExp(`' 'wasm-unsafe-eval' http://127\\.0\\.0\\.1:${port}/stretch\\.js; style-src`),
  );
  const module = await ask(port, { path: "/stretch.js", headers: SECRETLESS });
  expect(module).toMatchObject({
    status: 200,
    headers: {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "private, max-age=3600",
      "cross-origin-resource-policy": "same-origin",
    },
  });
  const script = module.bytes.toString();
  expect(script).toContain("registerProcessor(");
  // What is shipped has the license before it.
  const shipped = await readStretchScript();
  expect(shipped.endsWith(script)).toBe(true);
  expect(shipped).toMatch(/^\/\*!\nSignalsmith Stretch.*Permission is hereby granted/s);
});

test("[N10] another web page can't load the module", async () => {
  const port = await servePage(PAGE);
  const headers = { ...SECRETLESS, origin: "https://evil.example" };
  expect(await ask(port, { path: "/stretch.js", headers })).toMatchObject({ status: 403 });
});
