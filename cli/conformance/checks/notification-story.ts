import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { listOf, partOf } from "../assert.ts";
import { Inconclusive } from "../assertion-failure.ts";
import type { Kit } from "../kit.ts";
import { CALLS, pathOfFile } from "../relay-calls.ts";
import { manifestOf, smallSounds } from "../sounds.ts";
import { whyLost } from "../why-lost.ts";
import { type Answer, parseAnswer } from "../answer.ts";
import { onceRevoked } from "./waking.ts";

/** A notification that takes longer counts as missing. */
const NOTIFICATION_DEADLINE_MS = 10_000;
/** More messages than the story has reasons for. */
const MOST_MESSAGES = 200;

/** The messages and answers while an app pairs with a computer, sends a package and is unpaired. */
export interface NotificationStory {
  /** The claim, with the code in lower case, a hyphen and spaces. */
  readonly claimed: Answer;
  /** True for each notification that arrived in time. */
  readonly notifications: Readonly<Record<"codeUsed" | "appsChanged" | "packagesChanged", boolean>>;
  /** Every message, parsed. */
  readonly received: readonly unknown[];
  /** The messages that another computer's socket received in the meantime. */
  readonly otherReceived: readonly unknown[];
  readonly listed: Answer;
  readonly unpaired: Answer;
  readonly meAfter: Answer;
  readonly unpairedAgain: Answer;
}

/** Runs once for all its checks, because pairing tries are scarce. */
export function notificationStory(kit: Kit): Promise<NotificationStory> {
  return kit.share("bell story", async () => {
    const device = await kit.device("Conformance kit, bell");
    const { token } = device;
    using own = await listen(kit, token);
    using other = await listen(kit, (await kit.device("Conformance kit, doors")).token);
    const code = await kit.code(device);
    const spelled = ` ${code.slice(0, 3).toLowerCase()}- ${code.slice(3).toLowerCase()} `;
    const claim = { app_name: "Conformance bell", app_id: "bell" };
    const claimed = await kit.claim({ code: spelled, ...claim }, device);
    const app =
      claimed.status < 300
        ? claimed
        : await kit.claim({ code: await kit.code(device), ...claim }, device);
    const codeUsed = await own.receives("code.used", 1);
    const appsChanged = await own.receives("apps.changed", 1);
    const appToken = String(partOf(app.json, "app_token"));
    await sendPackage(kit, appToken);
    const packagesChanged = await own.receives("packages.changed", 1);
    const listed = await kit.call("GET", "/importer/apps", { token });
    const id = String(partOf(listOf(listed.json, "apps")[0], "pairing_id"));
    const unpaired = await kit.call("DELETE", `/importer/apps/${id}`, { token });
    const meAfter = await onceRevoked(kit, () => kit.call("GET", "/app/me", { token: appToken }));
    return {
      claimed,
      notifications: { codeUsed, appsChanged, packagesChanged },
      received: own.received,
      otherReceived: other.received,
      listed,
      unpaired,
      meAfter,
      unpairedAgain: await kit.call("DELETE", `/importer/apps/${id}`, { token }),
    };
  });
}

/** An open notification socket. */
interface Listener extends Disposable {
  readonly received: readonly unknown[];
  /** Waits for this many messages of a type; resolves with whether they arrived before the deadline. */
  receives(type: string, times: number): Promise<boolean>;
}

/** @throws {Inconclusive} when the socket does not open */
async function listen(kit: Kit, token: string): Promise<Listener> {
  const socket = kit.wire.socket(token);
  const received: unknown[] = [];
  socket.on("message", (message) => {
    received.push(Buffer.isBuffer(message) ? parseAnswer(message) : undefined);
    if (received.length >= MOST_MESSAGES) socket.terminate();
  });
  try {
    await once(socket, "open");
  } catch (error) {
    throw new Inconclusive(`The socket did not open: ${whyLost(error)}`);
  }
  const count = (type: string) =>
    received.filter((notification) => partOf(notification, "type") === type).length;
  return {
    received,
    receives: async (type, times) => {
      const over = new AbortController();
      const look = () => {
        if (count(type) >= times || socket.readyState !== socket.OPEN) over.abort();
      };
      socket.on("message", look).on("close", look);
      look();
      const signal = AbortSignal.any([over.signal, kit.signal]);
      const deadlineMs = Math.min(NOTIFICATION_DEADLINE_MS, kit.wire.answerMs);
      await sleep(deadlineMs, undefined, { signal }).catch(() => {});
      socket.off("message", look).off("close", look);
      return count(type) >= times;
    },
    [Symbol.dispose]: () => socket.terminate(),
  };
}

async function sendPackage(kit: Kit, token: string): Promise<void> {
  const sounds = smallSounds("bell.wav");
  const announced = await kit.send(CALLS.announce(manifestOf(sounds)), token);
  kit.keep(announced, token);
  const id = String(partOf(announced.json, "package_id"));
  for (const { file, bytes } of sounds)
    await kit.send(CALLS.upload(pathOfFile(id, file), bytes), token);
  await kit.send(CALLS.commit(id), token);
}
