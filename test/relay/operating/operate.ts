import { createHash } from "node:crypto";
import { onTestFinished } from "vitest";
import { openActions } from "../../../relay/operating/administer.ts";
import { openRecords } from "../../../relay/operating/open-operated.ts";
import { type BlockSubject, blockSubjectOf } from "../../../relay/operating/operator-actions.ts";
import { openView } from "../../../relay/operating/relay-view.ts";
import { smallWav } from "../../wav-bytes.ts";
import type { relayWithSounds } from "./backed-up-relay.ts";

/** A relay with two packages of two sounds and one, and where its stores are. */
export type OperatedRelay = Omit<Awaited<ReturnType<typeof relayWithSounds>>, "target" | "run">;

/** The SHA-256 of every sound that a test sends. */
export const SUM = createHash("sha256").update(smallWav()).digest("hex");
export const PAGE = { limit: 50 };

/** Parses the subject of a block. */
export function subject(text: string): BlockSubject {
  const found = blockSubjectOf(text);
  if (found === undefined) throw new Error(`${text} can be blocked.`);
  return found;
}

/** A relay, and an operator's hand on it, until the test ends. */
export async function operate(operated: OperatedRelay) {
  const { settings } = operated;
  const actions = await openActions(settings, { who: "anna" });
  onTestFinished(() => actions[Symbol.asyncDispose]());
  const view = await openView(settings);
  onTestFinished(() => view[Symbol.asyncDispose]());
  const records = await openRecords(settings, { mayWrite: true });
  onTestFinished(() => records[Symbol.asyncDispose]());
  return { ...operated, actions, view, records };
}

/** Cases, by their titles. */
export type OperatingCases = Readonly<
  Record<string, (operating: Awaited<ReturnType<typeof operate>>) => Promise<void>>
>;
