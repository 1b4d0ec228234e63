import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type RawData, WebSocket } from "ws";
import { listOf, partOf } from "../assert.ts";
import type { Kit } from "../kit.ts";
import { Inconclusive } from "../assertion-failure.ts";
import { itemOf, smallSounds } from "../sounds.ts";
import type { Answer } from "../wire.ts";

/** A ring that has not come by then does not come. */
const RING_MS = 10_000;

/** What a computer received while an app paired with it, sent it a package and was unpaired. */
export interface BellStory {
  /** The claim, with the code in lower case, a hyphen and spaces. */
  readonly claimed: Answer;
  /** Whether each ring was received at its time. */
  readonly notifications: Readonly<Record<"codeUsed" | "appsChanged" | "packagesChanged", boolean>>;
  /** Every message, parsed. */
  readonly received: readonly unknown[];
  /** What another computer's socket received meanwhile. */
  readonly strangeReceived: readonly unknown[];
  readonly listed: Answer;
  readonly unpaired: Answer;
  readonly meAfter: Answer;
  readonly unpairedAgain: Answer;
}

/** Played once for all checks that look at it: pairing tries are scarce. */
export function notificationStory(kit: Kit): Promise<BellStory> {
  return kit.share("bell story", async () => {
    const device = await kit.device("Conformance kit, bell");
    const { token } = device;
    using own = await listen(kit, token);
    using strange = await listen(kit, (await kit.device("Conformance kit, doors")).token);
    const code = await kit.code(device);
    const spelled = ` ${code.slice(0, 3).toLowerCase()}- ${code.slice(3).toLowerCase()} `;
    const claim = { app_name: "Conformance bell", app_id: "bell" };
    const claimed = await kit.claim({ code: spelled, ...claim });
    const app =
      claimed.status < 300 ? claimed : await kit.claim({ code: await kit.code(device), ...claim });
    const codeUsed = await own.receives("code.used", 1);
    const appsChanged = await own.receives("apps.changed", 1);
    const appToken = String(partOf(app.json, "app_token"));
    await sendPackage(kit, appToken);
    const packagesChanged = await own.receives("packages.changed", 1);
    const listed = await kit.call("GET", "/importer/apps", { token });
    const id = String(partOf(listOf(listed.json, "apps")[0], "pairing_id"));
    const unpaired = await kit.call("DELETE", `/importer/apps/${id}`, { token });
    const meAfter = await kit.call("GET", "/app/me", { token: appToken });
    return {
      claimed,
      notifications: { codeUsed, appsChanged, packagesChanged },
      received: own.received,
      strangeReceived: strange.received,
      listed,
      unpaired,
      meAfter,
      unpairedAgain: await kit.call("DELETE", `/importer/apps/${id}`, { token }),
    };
  });
}

/** An importer's doorbell, open. */
export interface Ear extends Disposable {
  readonly received: readonly unknown[];
  /** Whether a message of the type has come so many times, or does within a few seconds. */
  receives(type: string, times: number): Promise<boolean>;
}

/** @throws {Inconclusive} when the socket does not open */
async function listen(kit: Kit, token: string): Promise<Ear> {
  const socket = new WebSocket(kit.wire.socketUrl, {
    headers: { authorization: `Bearer ${token}` },
    handshakeTimeout: 10_000,
  });
  const received: unknown[] = [];
  socket.on("message", (message) => received.push(parse(message)));
  try {
    await once(socket, "open");
  } catch (error) {
    throw new Inconclusive(`The socket did not open: ${String(error)}.`);
  }
  socket.on("error", () => socket.terminate());
  const count = (type: string) =>
    received.filter((notification) => partOf(notification, "type") === type).length;
  return {
    received,
    receives: async (type, times) => {
      const givenUp = AbortSignal.timeout(RING_MS);
      while (count(type) < times && !givenUp.aborted) {
        await Promise.race([once(socket, "message"), sleep(RING_MS, undefined, { ref: false })]);
      }
      return count(type) >= times;
    },
    [Symbol.dispose]: () => socket.terminate(),
  };
}

async function sendPackage(kit: Kit, token: string): Promise<void> {
  const [sound] = smallSounds("bell.wav");
  if (sound === undefined) return;
  const body = { schema: "app2host/1", items: [itemOf(sound)] };
  const announced = await kit.call("POST", "/packages", { token, body });
  kit.keep(announced, token);
  const id = String(partOf(announced.json, "package_id"));
  await kit.call("PUT", `/packages/${id}/files/bell.wav`, { token, body: sound.bytes });
  await kit.call("POST", `/packages/${id}/commit`, { token });
}

function parse(message: RawData): unknown {
  try {
    const value: unknown = JSON.parse(Buffer.isBuffer(message) ? message.toString() : "");
    return value;
  } catch {
    return undefined;
  }
}
