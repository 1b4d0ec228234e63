import { readFile } from "node:fs/promises";
import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { createServer } from "node:tls";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import type { RunningRelay } from "../../relay/running-relay.ts";
import { soon } from "../../sim/soon.ts";
import { sharedChromium } from "../shared-chromium.ts";

const TLS = join(import.meta.dirname, "../../relay/tls");

/** A proxy that speaks TLS for a relay, as `https://localhost`, until the test is over. */
export interface TlsFront {
  readonly url: string;
  /** Leads to another relay from now on; null: to none. */
  leadTo(relay: RunningRelay | null): void;
}

export async function tlsInFrontOf(first: RunningRelay): Promise<TlsFront> {
  const [cert, key] = await Promise.all(
    ["cert.pem", "key.pem"].map((name) => readFile(join(TLS, name))),
  );
  let relay: RunningRelay | null = first;
  const open = new Set<Socket>();
  const server = createServer({ cert, key }, (socket) => {
    socket.on("error", () => {});
    if (relay === null) return socket.destroy();
    const behind = connect(Number(new URL(relay.url).port), "127.0.0.1");
    for (const each of [socket, behind]) {
      open.add(each);
      each.on("error", () => {});
      each.on("close", () => [socket, behind].map((one) => one.destroy()));
    }
    return void socket.pipe(behind).pipe(socket);
  });
  const end = (): void => open.forEach((socket) => socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    end();
    server.close();
  });
  // A listening TCP server always has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}`,
    leadTo: (next) => {
      relay = next;
      end();
    },
  };
}

/** A phone's browser, until the test is over. The test fails where a page's script did. */
export async function phone(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await (
    await sharedChromium()
  ).newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    ...options,
  });
  context.setDefaultTimeout(20_000);
  const failures: string[] = [];
  context.on("weberror", (error) => failures.push(error.error().message));
  context.on("console", (message) => {
    if (/content security policy/i.test(message.text())) failures.push(message.text());
  });
  onTestFinished(async () => {
    await context.close();
    expect(failures).toEqual([]);
  });
  return context;
}

/** Opens an address in a new tab. */
export async function openOn(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** Waits until the page's service worker serves it. */
export async function untilServed(page: Page): Promise<void> {
  await soon(() => page.evaluate("navigator.serviceWorker.controller !== null")).toBe(true);
}
