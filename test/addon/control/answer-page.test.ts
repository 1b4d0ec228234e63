import { createHash } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { answerPage } from "../../../addon/control/answer-page.ts";
import { serveControl } from "../../../addon/control/control-server.ts";
import { ask } from "./ask.ts";

const SCRIPT = 'document.title = "Grüße";\n';
const PAGE = `<!doctype html><style>p{color:red}</style><script type="module">${SCRIPT}</script><p>✓</p>`;

async function getPage(html: string) {
  const handle = async (call: Parameters<typeof answerPage>[0]) => answerPage(call, html);
  const server = await serveControl([{ method: "GET", path: "/", isOpen: true, handle }], {
    port: 0,
    secret: "never shown",
  });
  onTestFinished(() => server.close());
  return ask(server.port, { path: "/", headers: { "x-soundferry-secret": undefined } });
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
