import { isJsonObject } from "../../../core/text/json-object.ts";
import { shorten } from "../../../core/text/shorten.ts";
import type { Finding } from "../finding.ts";
import { note, ok, wrong } from "./findings.ts";
import { probe } from "./probe.ts";
import type { Visit } from "./visit.ts";

const MAX_UNITS = 200;

/** Checks what `/readyz` says (rule K10). */
export async function checkReady(visit: Visit): Promise<readonly Finding[]> {
  const answer = await probe(visit, { path: "/readyz" });
  const { reason, degraded, notices } = isJsonObject(answer?.body) ? answer.body : {};
  const sentences = Array.isArray(notices) ? notices.filter(isText) : [];
  const noted = sentences.map((sentence) => note("ready", shorten(sentence, MAX_UNITS)));
  if (answer?.status === 200 && noted.length > 0) return noted;
  if (answer?.status === 200) {
    return [
      isText(degraded)
        ? note("ready", `The relay is ready, but degraded: ${shorten(degraded, MAX_UNITS)}.`)
        : ok("ready", "The relay is ready."),
    ];
  }
  if (isText(reason)) {
    const advice =
      "See the relay's log, which says more; soundferry relay check examines its data.";
    return [
      wrong("ready", `The relay isn't ready: ${shorten(reason, MAX_UNITS)}.`, advice),
      ...noted,
    ];
  }
  const how = answer === undefined ? "isn't answered" : `is answered with ${answer.status}`;
  return [note("ready", `/readyz ${how} here, so whether the relay is ready can't be seen.`)];
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
