import { createHash } from "node:crypto";
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { answerCalls } from "../../../bench/processes/answer-calls.ts";
import { smallWav } from "../../wav-bytes.ts";
import { httpCall, patiently } from "../http-call.ts";
import { type Computer, manifest } from "../strangers.ts";

/** An app that sends in the background doesn't give up sooner. */
const WITHIN_MS = 180_000;
const SOUND = smallWav({ frames: 5_000_000 });
const SHA256 = createHash("sha256").update(SOUND).digest("hex");

interface Job {
  readonly url: string;
  readonly computers: readonly Computer[];
  readonly uploads: number;
  readonly seconds: number;
}

/** Sends packages of 10 MB, evenly over the time, and waits as a client does when it is told to. */
export const honestCalls = {
  send: async ({ url, computers, uploads, seconds }: Job) => {
    const agent = new Agent({ keepAlive: true });
    const sent: Promise<string>[] = [];
    for (let index = 0; index < uploads; index += 1) {
      sent.push(sendOne(url, computers[index % computers.length] as Computer, agent));
      await sleep((seconds * 900) / uploads);
    }
    const outcomes = await Promise.all(sent);
    agent.destroy();
    return {
      tried: outcomes.length,
      arrived: outcomes.filter((outcome) => outcome === "arrived").length,
      failures: [...new Set(outcomes.filter((outcome) => outcome !== "arrived"))],
    };
  },
};
export type HonestCalls = typeof honestCalls;

async function sendOne(url: string, { appToken: token, from }: Computer, agent: Agent) {
  const sound = { file: "sound-1.wav", bytes: SOUND.byteLength, sha256: SHA256 };
  const body = { ...manifest(), items: [sound] };
  const app = { token, from, agent, timeoutMs: WITHIN_MS };
  const within = { withinMs: WITHIN_MS };
  const announced = await patiently(
    () => httpCall({ url }, { ...app, path: "/packages", body }),
    within,
  );
  if (announced.status >= 300 || announced.status === 0) return `announce ${announced.status}`;
  const base = `/packages/${String(announced.json["package_id"])}`;
  const put = { ...app, method: "PUT", path: `${base}/files/sound-1.wav`, body: SOUND };
  const uploaded = await patiently(() => httpCall({ url }, put), within);
  if (uploaded.status !== 200) return `upload ${uploaded.status}`;
  const commit = { ...app, method: "POST", path: `${base}/commit` };
  const committed = await patiently(() => httpCall({ url }, commit), within);
  return committed.status === 200 ? "arrived" : `commit ${committed.status}`;
}

answerCalls(honestCalls);
