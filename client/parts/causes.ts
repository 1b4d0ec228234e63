import { type AddressSpace, addressSpaceOf } from "../../core/protocol/judge-host.ts";
import { rootOf } from "../wire/answer-error.ts";
import { knowsSpaces, pageAddress, targetOf } from "../wire/local-network.ts";

/** Facts about a client's calls to a relay. */
export interface CallFacts {
  readonly relayUrl: string;
  readonly fetch: typeof globalThis.fetch;
  /** True if an earlier call was answered. */
  readonly isReached: boolean;
}

/** Why a call gets no answer. */
export interface Cause {
  /** A sentence to show. */
  readonly error: string;
  readonly code:
    | "NO_ANSWER"
    | "TIMEOUT"
    | "TLS_FAILED"
    | "MIXED_CONTENT"
    | "LOCAL_NETWORK_DENIED"
    | "LOCAL_NETWORK_ASKING"
    | "CORS_BLOCKED";
  readonly retryAfterSeconds?: number;
}

/** The part of a browser's PermissionStatus used here. */
interface Permission {
  readonly state: string;
  addEventListener(type: "change", listener: () => void): void;
}

interface Permissions {
  query(permission: { readonly name: string }): Promise<Permission>;
}

/** A relay that doesn't answer a knock within this time is behind a prompt, or out of reach. */
const KNOCK_MS = 1500;
/** Chrome denies after three prompts that were closed, so the next one waits. */
const NEXT_PROMPT_SECONDS = 30;

/** Knocks without an answer yet. Clients share them, because another knock could show another prompt. */
const knocks = new Map<string, Promise<boolean>>();

/**
 * Finds the cause of a call without an answer; undefined if only the network can be at fault.
 * @param failure of the call; undefined before the first one
 */
export async function findCause(call: CallFacts, failure: unknown): Promise<Cause | undefined> {
  const { relayUrl, isReached } = call;
  const page = pageAddress();
  if (page === undefined) return causeInNode(rootOf(failure), relayUrl);
  const { origin, protocol, hostname } = new URL(relayUrl);
  const isFailed = failure !== undefined;
  if (page.origin === origin || (isFailed && !(failure instanceof TypeError))) return undefined;
  const named = addressSpaceOf(hostname);
  const isInsecure = page.protocol === "https:" && protocol === "http:" && named !== "loopback";
  const space = named ?? (isInsecure ? "local" : undefined);
  // Only with permission, and only if the name has an address in the local network, does this change.
  const isMixed = isInsecure && !(named === "local" && knowsSpaces());
  const ask = (): Promise<Cause | undefined> => findRefusal(relayUrl, space);
  if (!isFailed) return isInsecure && !knowsSpaces() ? undefined : findPrompt(call, isMixed, ask);
  const denied = await ask();
  if (denied?.code === "LOCAL_NETWORK_DENIED" && !isMixed) return denied;
  if (isReached) return undefined;
  if (!isMixed) return findCorsBlock(call);
  const error = `This page is secure (https) and can't call ${relayUrl}. Use the relay's https address.`;
  return { error, code: "MIXED_CONTENT" };
}

/** Reads the codes of Node's errors. Browsers give none. */
function causeInNode(root: Error, relayUrl: string): Cause | undefined {
  const code = String(Reflect.get(root, "code"));
  const words = [
    [/^ECONNREFUSED$/, "NO_ANSWER", `Nothing answers at ${relayUrl}. Is the relay running?`],
    [
      /^(ENOTFOUND|EAI_AGAIN)$/,
      "NO_ANSWER",
      `The address ${relayUrl} can't be found. Check it, and the network.`,
    ],
    [/TIMEOUT|TIMEDOUT/, "TIMEOUT", `${relayUrl} did not answer in time.`],
    [
      /CERT|SELF_SIGNED|UNABLE_TO/,
      "TLS_FAILED",
      `The certificate of ${relayUrl} is not trusted (${code}).`,
    ],
    [/SSL|TLS|EPROTO/, "TLS_FAILED", `There is no secure connection to ${relayUrl} (${code}).`],
  ] as const;
  const found = words.find(([pattern]) => pattern.test(code));
  return found && { code: found[1], error: found[2] };
}

/** Resolves when a person answers the browser's question. */
export function untilDecided(): Promise<void> {
  return new Promise((resolve) => {
    for (const space of ["loopback", "local"] as const) {
      void permissionFor(space).then((permission) => {
        permission?.addEventListener("change", () => resolve());
      });
    }
  });
}

/** Knocks where the browser may ask, so that no call hangs: the knock does until a person answers. */
async function findPrompt(
  call: CallFacts,
  isMixed: boolean,
  ask: () => Promise<Cause | undefined>,
): Promise<Cause | undefined> {
  if ((await ask()) === undefined) return undefined;
  const isAnswered = await knock(call);
  if (isAnswered === true || (isAnswered === false && isMixed)) return undefined;
  const block = await ask();
  const isClosed = isAnswered === false && block?.code === "LOCAL_NETWORK_ASKING";
  if (!isClosed) return block;
  // A browser says neither that its question was closed nor that nothing listens there.
  const error = `${block.error} Otherwise, check that the relay is running.`;
  return { ...block, error, retryAfterSeconds: NEXT_PROMPT_SECONDS };
}

async function findRefusal(
  relayUrl: string,
  space: AddressSpace | undefined,
): Promise<Cause | undefined> {
  if (space === undefined || isAsNear(space)) return undefined;
  const state = (await permissionFor(space))?.state;
  const { host } = new URL(relayUrl);
  if (state === "denied") {
    const error = `The browser doesn't let this page reach the relay at ${host}. Allow it in the settings beside the page's address.`;
    return { error, code: "LOCAL_NETWORK_DENIED" };
  }
  if (state !== "prompt") return undefined;
  const error =
    space === "loopback"
      ? `The relay is on this computer (${host}). If the browser asks whether this page can reach devices there, allow it.`
      : `The relay is in your own network (${host}). If the browser asks whether this page can reach devices there, allow it.`;
  return { error, code: "LOCAL_NETWORK_ASKING" };
}

/** True if the page is as near as the relay, so that the browser doesn't ask. */
function isAsNear(space: AddressSpace): boolean {
  const own = addressSpaceOf(pageAddress()?.hostname ?? "");
  // A developer can have Chrome treat this computer as public (`--ip-address-space-overrides`).
  return own === "loopback" ? !knowsSpaces() : own === space;
}

/** Returns the permission for a space; undefined in a browser without one. */
async function permissionFor(space: AddressSpace): Promise<Permission | undefined> {
  const navigator: unknown = Reflect.get(globalThis, "navigator");
  const permissions: unknown = Reflect.get(Object(navigator), "permissions");
  if (!isPermissions(permissions)) return undefined;
  for (const name of [`${space}-network`, "local-network-access"]) {
    try {
      return await permissions.query({ name });
    } catch {
      // The browser doesn't know this name: Chrome 142 to 144 know only the second one.
    }
  }
  return undefined;
}

/** Trusts that anything with this name is the browser's own. */
function isPermissions(found: unknown): found is Permissions {
  return typeof found === "object" && found !== null;
}

/** Tells a failing preflight apart from a dead network: the relay answers without one, and not with one. */
async function findCorsBlock(call: CallFacts): Promise<Cause | undefined> {
  const headers = { Authorization: "Bearer ?", "Content-Type": "application/json" };
  if ((await knock(call)) !== true) return undefined;
  if ((await inTime(isAnswered(call, { headers }))) !== false) return undefined;
  const error = `${call.relayUrl} answers, but the browser doesn't let this page call it (CORS). Check its proxy, and headers that scripts add.`;
  return { error, code: "CORS_BLOCKED" };
}

/** Calls the relay without a preflight. Resolves with undefined if no answer comes in time; the call goes on. */
function knock(call: CallFacts): Promise<boolean | undefined> {
  const { relayUrl } = call;
  let knocking = knocks.get(relayUrl);
  if (knocking === undefined) {
    const ended = (): unknown => knocks.delete(relayUrl);
    knocking = isAnswered(call, { mode: "no-cors" }).finally(ended);
    knocks.set(relayUrl, knocking);
  }
  return inTime(knocking);
}

async function isAnswered({ relayUrl, fetch }: CallFacts, init: RequestInit): Promise<boolean> {
  const options = { cache: "no-store", credentials: "omit", ...targetOf(relayUrl) } as const;
  try {
    const { body } = await fetch(`${relayUrl}/healthz`, { ...options, ...init });
    await body?.cancel();
    return true;
  } catch {
    return false;
  }
}

function inTime(calling: Promise<boolean>): Promise<boolean | undefined> {
  const late = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), KNOCK_MS);
  });
  return Promise.race([calling, late]);
}
