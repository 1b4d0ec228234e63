import { buffer } from "node:stream/consumers";
import { parseJson } from "../../../../core/text/parse-json.ts";
import { HttpCutter, type InsteadAnswer } from "../../../sim/http-cutter.ts";
import type { Choice } from "../../../../cli/conformance/choice.ts";
import type { Report } from "../../../../cli/conformance/report.ts";
import { runChecks, type RunOptions } from "../../../../cli/conformance/run-checks.ts";
import type { RunningRelay } from "../../../relay/running-relay.ts";

/** A call on its way to the relay. */
export interface Asked {
  readonly method: string;
  path: string;
  readonly headers: Record<string, string | string[] | undefined>;
  /** The whole body, for a fault that `seesBody`; a fault can replace it. Else what has come when the answer comes. */
  body?: Buffer;
  /** The body as JSON; undefined if it is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a fault reaches into bodies of every shape
  sent?: any;
}

/** The relay's answer on its way back. */
export interface Answered {
  status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  /** Undefined if the body isn't JSON; this value is sent. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a fault reaches into answers of every shape
  json: any;
  /** A body to send in place of the relay's bytes that aren't JSON. */
  bytes?: Buffer;
}

/** The changes with which a proxy makes a good relay break a rule. */
export interface Break {
  /**
   * Set if `ask` looks at the body: then a POST or PUT is passed on once all of it is there, or with paths any call of
   * theirs that has a body.
   */
  readonly seesBody?: true | RegExp;
  /** Changes the call; a returned answer is sent without calling the relay. */
  readonly ask?: (asked: Asked) => Answered | undefined;
  /** Changes the answer, or delays it. */
  readonly answer?: (answered: Answered, asked: Asked) => void | Promise<void>;
}

/** A proxy that forwards everything to a relay except what it breaks. Sockets are forwarded unchanged. */
export function startBreakingProxy(relayUrl: string, fault: Break): Promise<HttpCutter> {
  const bodies = new WeakMap<object, Asked>();
  const { seesBody } = fault;
  const isSeen = ({ method, path }: Asked) =>
    seesBody === true
      ? /^(POST|PUT)$/.test(method)
      : method.startsWith("P") && seesBody?.test(path);
  return HttpCutter.to(relayUrl, {
    fault: (call) => {
      if (call.isUpgrade) return undefined;
      if (isSeen(call)) {
        return {
          rewrite: (body) => {
            const asked: Asked = { ...call, body, sent: parseJson(body.toString("utf8")) };
            bodies.set(call, asked);
            const instead = fault.ask?.(asked);
            call.path = asked.path;
            return instead === undefined ? (asked.body ?? body) : insteadOf(instead, call.path);
          },
        };
      }
      const instead = fault.ask?.(call);
      return instead === undefined ? undefined : insteadOf(instead, call.path);
    },
    change: async (passing, call) => {
      const bytes = await buffer(passing.body);
      const { status, headers } = passing;
      const answered: Answered = { status, headers, json: parseJson(bytes.toString("utf8")) };
      const asked: Asked = bodies.get(call) ?? call;
      asked.body ??= Buffer.concat(passing.sent);
      await fault.answer?.(answered, asked);
      passing.status = answered.status;
      if (answered.json === undefined) return answered.bytes ?? bytes;
      delete headers["content-length"];
      delete headers["transfer-encoding"];
      return answered.status === 204 ? "" : JSON.stringify(answered.json);
    },
  });
}

/** Answers of the importer's API are not for pages. */
function insteadOf({ status, headers, json, bytes }: Answered, path: string): InsteadAnswer {
  const { "access-control-allow-origin": origin, ...others } = headers;
  const sent = path.startsWith("/importer")
    ? others
    : { ...others, "access-control-allow-origin": origin };
  return { status, headers: sent, body: bytes?.toString() ?? JSON.stringify(json) };
}

/** One planted fault: a rule, and what breaks it. */
export interface Fault extends Break {
  /** The rule that a failed check must name. */
  readonly rule: string;
  /** Ends "a relay with …", such as "a commit that works once". */
  readonly what: string;
  /** Other rules that this breaks. */
  readonly also?: readonly string[];
  /** Ids of checks whose calls show it, for a promise about every answer. */
  readonly calls?: readonly string[];
  /** The need that the run must allow. */
  readonly needs?: "limit" | "time";
  /** True if a check that waits for half a minute names it. */
  readonly waits?: true;
  /** Why no check can name it from outside; otherwise one must. */
  readonly survives?: string;
  /** Makes the break of a fault that remembers something. */
  readonly plant?: () => Break;
}

/** A proxy with a planted fault. */
export function startFaultyRelay(relayUrl: string, fault: Fault): Promise<HttpCutter> {
  return startBreakingProxy(relayUrl, fault.plant?.() ?? fault);
}

/** Checks that wait for real time; with a fault that only they can name, they run, too. */
export function realTimeChecks({ waits }: Pick<Fault, "waits"> = {}): readonly string[] {
  return ["socket-pings", ...(waits ? [] : ["wait-clamped"])];
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

type HoldOptions = Partial<
  Choice &
    Pick<RunOptions, "signal" | "onResult" | "given" | "registrationKey" | "answerMs"> & {
      readonly url: string;
    }
>;

/** Runs the kit against a relay or its proxy; instead of waiting, it moves the relay's clock. */
export function holdRelay(
  relay: Pick<RunningRelay, "url" | "clock">,
  {
    url = relay.url,
    signal = new AbortController().signal,
    onResult = () => {},
    given,
    registrationKey,
    answerMs,
    ...choice
  }: HoldOptions = {},
): Promise<Report> {
  return runChecks(url, {
    choice: { needs: new Set(), ...choice },
    given,
    registrationKey,
    answerMs,
    wait: async (ms) => relay.clock.pass(ms / 1000),
    onWait: () => {},
    onResult,
    signal,
  });
}
