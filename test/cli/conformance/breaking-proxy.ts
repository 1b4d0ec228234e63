import { buffer } from "node:stream/consumers";
import { parseJson } from "../../../core/text/parse-json.ts";
import { HttpCutter } from "../../sim/http-cutter.ts";
import type { Report } from "../../../cli/conformance/report.ts";
import { type Choice, runChecks, type RunOptions } from "../../../cli/conformance/run-checks.ts";
import type { RunningRelay } from "../../relay/running-relay.ts";

/** A call on its way to the relay. */
export interface Asked {
  readonly method: string;
  path: string;
  readonly headers: Record<string, string | string[] | undefined>;
}

/** The relay's answer on its way back. */
export interface Answered {
  status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  /** Undefined if the body isn't JSON; this value is sent. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a break reaches into answers of every shape
  json: any;
}

/** The changes with which a proxy makes a good relay break a rule. */
export interface Break {
  /** Changes the call; a returned answer is sent without calling the relay. */
  readonly ask?: (asked: Asked) => Answered | undefined;
  /** Changes the answer. */
  readonly answer?: (answered: Answered, asked: Asked) => void;
}

/** A proxy that forwards everything to a relay except what it breaks. Sockets are forwarded unchanged. */
export function startBreakingProxy(relayUrl: string, fault: Break): Promise<HttpCutter> {
  return HttpCutter.to(relayUrl, {
    fault: (call) => {
      const instead = call.isUpgrade ? undefined : fault.ask?.(call);
      if (instead === undefined) return undefined;
      const { status, headers, json } = instead;
      return { status, headers, body: JSON.stringify(json) };
    },
    change: async (passing, call) => {
      const bytes = await buffer(passing.body);
      const { status, headers } = passing;
      const answered: Answered = { status, headers, json: parseJson(bytes.toString("utf8")) };
      fault.answer?.(answered, call);
      passing.status = answered.status;
      if (answered.json === undefined) return bytes;
      delete headers["content-length"];
      delete headers["transfer-encoding"];
      return answered.status === 204 ? "" : JSON.stringify(answered.json);
    },
  });
}

/** A rule, and what breaks it. */
export interface BreakCase extends Break {
  readonly rule: string;
  readonly what: string;
  /** Other rules that this breaks. */
  readonly also?: readonly string[];
  /** The need that the run must allow. */
  readonly needs?: "limit" | "time";
}

/** Settings of a relay whose every window the kit waits for. */
export const SHORT_WINDOWS = {
  SOUNDFERRY_PAIRING_CODE_TTL_S: "600",
  SOUNDFERRY_UPLOAD_WINDOW_S: "600",
  SOUNDFERRY_WAIT_WINDOW_S: "700",
  SOUNDFERRY_STATUS_WINDOW_S: "60",
  SOUNDFERRY_LEASE_S: "60",
  SOUNDFERRY_UPLOAD_IDLE_S: "1",
};

/** Runs the kit against a relay or its proxy; instead of waiting, it moves the relay's clock. */
export function holdRelay(
  relay: RunningRelay,
  {
    url = relay.url,
    signal = new AbortController().signal,
    onResult = () => {},
    ...choice
  }: Partial<Choice & Pick<RunOptions, "signal" | "onResult"> & { readonly url: string }> = {},
): Promise<Report> {
  return runChecks(url, {
    choice: { needs: new Set(), ...choice },
    wait: async (ms) => relay.clock.pass(ms / 1000),
    onWait: () => {},
    onResult,
    signal,
  });
}
