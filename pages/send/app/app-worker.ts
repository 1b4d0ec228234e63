import { RELAY_MARK } from "../../../core/protocol/relay-mark.ts";
import { SHARE_PATH } from "../../../core/protocol/share-path.ts";
import { VERSION } from "../../../core/version.ts";
import { judgeRequest } from "./judge-request.ts";
import { keepShared } from "./shared-files.ts";

// The page's service worker (rules G22 and G23). It keeps the page and its versioned files, and takes what other apps share.

/** Digest of the page that this worker came with; the build sets it. */
declare const PAGE_DIGEST: string;

/** The part of a worker's events that is used here: the pages compile without the types of workers. */
interface WorkerEvent extends Event {
  readonly request: Request;
  waitUntil(work: Promise<unknown>): void;
  respondWith(answer: Promise<Response>): void;
}

interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate" | "fetch", act: (event: WorkerEvent) => void): void;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this script only runs as a service worker
const worker = globalThis as unknown as WorkerScope;
const { scope } = worker.registration;
const PREFIX = "soundferry-page-";
const CACHE = PREFIX + PAGE_DIGEST;
const LISTENING = new URL(`client-${VERSION}/listening-worker.js`, scope).href;

worker.addEventListener("install", (event) => {
  event.waitUntil(Promise.all([fill(), worker.skipWaiting()]));
});
worker.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([deleteOthers(), worker.clients.claim()]));
});
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { method, url, mode } = request;
  const what = judgeRequest({ method, url, isNavigation: mode === "navigate" }, scope, VERSION);
  if (what === "page") event.respondWith(openPage(event));
  if (what === "file") event.respondWith(openFile(request));
  if (what === "share") event.respondWith(takeShare(request));
});

async function fill(): Promise<void> {
  for (const url of [scope, LISTENING]) await keep(url, await fetch(url, { cache: "no-cache" }));
}

async function deleteOthers(): Promise<void> {
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
  }
}

/** Opens the page from the relay, and from the cache while the relay can't be reached. */
async function openPage(event: WorkerEvent): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(event.request);
  } catch {
    return (await kept(scope)) ?? Response.error();
  }
  // A gateway that can't reach its relay.
  if (answer.status >= 500) return (await kept(scope)) ?? answer;
  // Another program has the address now.
  if (answer.ok && !isRelays(answer)) await worker.registration.unregister();
  event.waitUntil(keep(scope, answer.clone()));
  return answer;
}

async function openFile(request: Request): Promise<Response> {
  const found = await kept(request.url);
  if (found !== undefined) return found;
  const answer = await fetch(request);
  await keep(request.url, answer.clone());
  return answer;
}

/** Keeps the files and opens the page, which adds them. If they can't be kept, the page says so. */
async function takeShare(request: Request): Promise<Response> {
  try {
    const form = await request.formData();
    await keepShared(form.getAll("files").filter((value) => value instanceof File));
    return Response.redirect(scope, 303);
  } catch {
    return Response.redirect(`${scope}?${SHARE_PATH}=again`, 303);
  }
}

/** Keeps an answer if it is a relay's own file. */
async function keep(url: string, answer: Response): Promise<void> {
  if (answer.status === 200 && isRelays(answer)) await (await caches.open(CACHE)).put(url, answer);
}

async function kept(url: string): Promise<Response | undefined> {
  return (await caches.open(CACHE)).match(url);
}

function isRelays({ headers }: Response): boolean {
  return headers.get(RELAY_MARK.name) === RELAY_MARK.value;
}
