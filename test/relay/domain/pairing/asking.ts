import type { PairingRequestView } from "../../../../core/protocol/importer-api.ts";
import { claimPairing, issuePairingCode } from "../../../../relay/domain/pairing/pair.ts";
import {
  answerPairingRequest,
  readPairingRequest,
} from "../../../../relay/domain/pairing/pairing-consent.ts";
import { claimCall, openUseCases, register, type UseCases } from "../use-cases.ts";

export const APP = { app_name: "Looper", app_id: "looper" };
export const WAIT_MS = 25_000;
export const NOT_PAIRED = "CODE_UNKNOWN";

/** Use cases in which every claim needs a yes, and a computer with a code. */
export async function openAsking() {
  const cases = await openUseCases({ asksForEachPairing: true, consentWaitMs: WAIT_MS });
  const { deviceId } = await register(cases);
  const { code } = await issuePairingCode(cases.context, deviceId);
  return Object.assign(cases, { deviceId, code });
}
export type Asking = Awaited<ReturnType<typeof openAsking>>;

/** A claim under way: what it came to, once it is over. */
export function claim(
  { context }: Pick<UseCases, "context">,
  body: object,
  {
    address = "198.51.100.7",
    stopped = new AbortController().signal,
    key,
  }: { address?: string; stopped?: AbortSignal; key?: string } = {},
) {
  const state: { outcome?: string; token?: string } = {};
  const over = claimPairing(context, { ...claimCall(async () => body, address), key, stopped })
    .then(({ appToken }) => {
      state.token = appToken;
      return "paired";
    })
    .catch((error: unknown) =>
      error instanceof Error && "code" in error ? String(error.code) : String(error),
    );
  void over.then((outcome) => (state.outcome = outcome));
  return Object.assign(state, { over });
}

/** The prompt of the device, once it is there. */
export async function prompt({ context, deviceId }: Asking): Promise<PairingRequestView> {
  for (let turn = 0; turn < 100; turn += 1) {
    const { request } = await readPairingRequest(context, deviceId);
    if (request !== null) return request;
  }
  throw new Error("No prompt came.");
}

export async function answer(cases: Asking, reply: "allow" | "deny") {
  const { request_id } = await prompt(cases);
  await answerPairingRequest(cases.context, cases.deviceId, { request_id, answer: reply });
}

/** Lets everything run that waits for no timer. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}
