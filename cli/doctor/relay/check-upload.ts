import { MAX_PACKAGE_BYTES } from "../../../core/limits.ts";
import { PACKAGE_SIZE } from "../../../core/text/format-limit.ts";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import type { Finding } from "../finding.ts";
import { ok, OWN_ANSWER, wrong } from "./findings.ts";
import { isFromTheRelay, probe } from "./probe.ts";
import type { Visit } from "./visit.ts";

/** More than any proxy holds back while it waits for more. */
const FIRST_BYTES = 65_536;

const RAISE = `Raise the proxy's limit for bodies; in nginx: client_max_body_size ${MAX_PACKAGE_BYTES / 1024 ** 2}m.`;

/**
 * Checks that the largest upload reaches the relay, and reaches it while it is still being sent. The call has no token,
 * so the relay refuses it as soon as it hears of it; of the announced body only the first bytes are ever sent.
 */
export async function checkUpload(visit: Visit): Promise<readonly Finding[]> {
  const answer = await probe(visit, {
    method: "PUT",
    path: "/packages/pkg_doctor/files/doctor.wav",
    headers: { "content-type": "audio/wav", "content-length": MAX_PACKAGE_BYTES },
    firstBytes: new Uint8Array(FIRST_BYTES),
  }).catch((error: unknown) => {
    visit.signal.throwIfAborted();
    return sentenceOf(error);
  });
  if (answer === undefined) return [heldBack(visit)];
  if (typeof answer === "string") return [refused(`ends: ${answer}`, RAISE)];
  if (!isFromTheRelay(answer)) {
    const how = `is answered with ${answer.status}, and not by the relay.`;
    return [refused(how, answer.status === 413 ? RAISE : OWN_ANSWER)];
  }
  return [
    ok("upload-limit", `Uploads of ${PACKAGE_SIZE} reach the relay.`),
    ok("upload-buffering", "Uploads reach the relay while they are being sent."),
  ];
}

function refused(how: string, advice: string): Finding {
  const sentence = `An upload of ${PACKAGE_SIZE}, as large as they can be, ${how}`;
  return wrong("upload-limit", sentence, advice);
}

function heldBack({ waits }: Visit): Finding {
  const sentence = `Something before the relay holds uploads back: the relay didn't hear of one within ${waits.answerMs / 1000} s.`;
  return wrong(
    "upload-buffering",
    `${sentence} So it can't refuse in time what has no token or no room.`,
    "Have the proxy pass bodies on as they arrive; in nginx: proxy_request_buffering off.",
  );
}
