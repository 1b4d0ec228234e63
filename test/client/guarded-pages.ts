import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { VERSION } from "../../core/version.ts";
import { buildClientFiles } from "../../scripts/build-client.ts";
import { CHROMIUM_ARGUMENTS, findChromium } from "../../scripts/pictures/find-chromium.ts";
import { PAGES } from "../pages/send/page-at-work.ts";
import { RunningRelay } from "../relay/running-relay.ts";

/** The address space of a relay, as browsers call it. */
export type Space = "loopback" | "local";

/** A person's answer to the browser's question about the local network. */
export type Answer = "prompt" | "denied" | "granted";

/** Two relays, and pages of the internet in a Chromium that guards the local network against them. */
export interface GuardedPages {
  /** The relay that the browser sees in a space, and its address there. */
  readonly relayIn: (space: Space) => { readonly relay: RunningRelay; readonly url: string };
  /** Opens a page, whose server also has the client and the element. */
  readonly open: OpenPage;
  /** Opens the same page on https. Playwright serves it, and answers its preflights, too. */
  readonly openSecure: OpenPage;
}

type OpenPage = (html: string, answer: Answer) => Promise<GuardedPage>;

export interface GuardedPage {
  readonly page: Page;
  /** Answers the browser's question. */
  readonly answer: (answer: Answer) => Promise<void>;
}

/** Addresses that Chromium resolves to this computer; a flag puts the second one in the local network. */
const HOSTS = { loopback: "127.0.0.1", local: "192.168.7.7" } as const;
const RULES = ["192.168.7.7", "*.local", "*.example"].map((name) => `MAP ${name} 127.0.0.1`);
const KNOWN_NAMES = { SOUNDFERRY_ALLOWED_HOSTS: "192.168.7.7, *.local, *.example" };

const SECURE_URL = "https://app.example/";

/** Provides guarded pages for all tests of a file. */
export function useGuardedPages(): GuardedPages {
  const relays = new Map<Space, RunningRelay>();
  let html = "";
  let files: ReadonlyMap<string, string> = new Map();
  let browser: Browser | undefined;
  const answerFor = (path: string) => {
    const script = files.get(path.slice(1).replace(`-${VERSION}.js`, ".js"));
    const contentType = script === undefined ? "text/html" : "text/javascript";
    return { contentType, body: script ?? html };
  };
  const server = createServer(({ url = "/" }, response) => {
    const { contentType, body } = answerFor(url);
    response.setHeader("Content-Type", contentType).end(body);
  });
  const portOf = (space: Space) => new URL(relays.get(space)?.url ?? "").port;
  let pageUrl = "";

  beforeAll(async () => {
    files = await buildClientFiles();
    await once(server.listen(0, "127.0.0.1"), "listening");
    // A listening TCP server always has an address of this kind.
    const { port } = server.address() as AddressInfo;
    pageUrl = `http://127.0.0.1:${port}/`;
    for (const space of ["loopback", "local"] as const) {
      relays.set(space, await RunningRelay.start(KNOWN_NAMES, { pages: PAGES }));
    }
    const spaces = `127.0.0.1:${port}=public,127.0.0.1:${portOf("local")}=local`;
    browser = await chromium.launch({
      executablePath: findChromium() ?? "",
      args: [
        ...CHROMIUM_ARGUMENTS.filter((one) => !one.includes("LocalNetworkAccessChecks")),
        `--host-resolver-rules=${RULES.join(",")}`,
        `--ip-address-space-overrides=${spaces}`,
      ],
    });
  });
  afterAll(async () => {
    await browser?.close();
    server.close();
    for (const relay of relays.values()) await relay[Symbol.asyncDispose]();
  });

  const openOnce = async (url: string, answer: Answer): Promise<GuardedPage> => {
    if (browser === undefined) throw new Error("Chromium doesn't run.");
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    if (url === SECURE_URL) {
      await context.route(`${SECURE_URL}**`, (route) =>
        route.fulfill(answerFor(new URL(route.request().url()).pathname)),
      );
    }
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const settings = await context.newCDPSession(page);
    const { targetInfo } = await settings.send("Target.getTargetInfo");
    const { browserContextId = "" } = targetInfo;
    const guarded: GuardedPage = {
      page,
      answer: async (setting) => {
        for (const name of ["loopback-network", "local-network"]) {
          const change = { permission: { name }, setting, browserContextId };
          await settings.send("Browser.setPermission", change);
        }
      },
    };
    await guarded.answer(answer);
    await page.goto(url);
    return guarded;
  };
  // On a busy machine, Chromium's process of a page rarely crashes while the page opens. That proves nothing of ours.
  const openAt: typeof openOnce = (url, answer) =>
    openOnce(url, answer).catch((error: unknown) => {
      if (!String(error).includes("Page crashed")) throw error;
      console.warn("Chromium's page crashed while it opened. It is opened once more.");
      return openOnce(url, answer);
    });
  return {
    relayIn: (space) => {
      const relay = relays.get(space);
      if (relay === undefined) throw new Error(`No relay is in the space ${space}.`);
      return { relay, url: `http://${HOSTS[space]}:${portOf(space)}` };
    },
    open: (text, answer) => {
      html = text;
      return openAt(pageUrl, answer);
    },
    openSecure: (text, answer) => {
      html = text;
      return openAt(SECURE_URL, answer);
    },
  };
}
