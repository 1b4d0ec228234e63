import { Child } from "../../../bench/child.ts";
import { inParallel } from "../../http-call.ts";
import { letPass } from "../../real-time.ts";
import { siteAddress, Stranger } from "../../stranger.ts";
import { type Attack, atLeast, atMost, served, type Stage } from "../attack.ts";
import { PROCESSES } from "../attacked-relay.ts";
import type { DriverCalls } from "../processes/drivers.ts";

/** A machine that does nothing else makes thousands. */
const LEAST_PER_SECOND = 100;
/** A busy machine lets the relay wait for its turn. */
const BUSY_MS = 2000;
const WATCHED = 8;
const HONEST_REFUSALS = 50;

export const floodedLog: Attack = {
  name: "A19",
  title: "refused calls with long paths, as fast as 32 connections of one network can",
  promise:
    "They write at most 16 KB of log a second, and every refusal of an honest app is written whole.",
  run: async (stage) => {
    const seconds = stage.seconds ?? (stage.isShort ? 5 : 20);
    const bare = await flooded(stage, { file: "empty", seconds });
    const { flood, idle, status, log, ids, newcomers } = await flooded(stage, { seconds });
    const written = ids.filter((id) => log.includes(`"${id}"`)).length;
    const bound = Math.max(5 * idle.p99Ms, 2 * bare.status.p99Ms, BUSY_MS);
    return {
      what: "refused calls",
      offered: flood.calls,
      leastOffered: LEAST_PER_SECOND * seconds,
      accepted: flood.accepted,
      measures: [
        atMost(16, ["log", log.length / 1000 / seconds, "KB a second"]),
        atLeast(ids.length, ["honest refusals with a line", written, "refusals"]),
        newcomers,
        atLeast(status.calls, ["honest calls answered meanwhile", status.answered, "calls"]),
        { name: "p99 of an empty server, flooded", value: bare.status.p99Ms, unit: "ms" },
        atMost(bound, ["p99 of the relay, flooded", status.p99Ms, "ms"], idle.p99Ms),
      ],
    };
  },
};

/** Floods a server beside honest apps, one of which is refused now and then. */
async function flooded(
  stage: Stage,
  { file, seconds }: { readonly file?: "empty"; readonly seconds: number },
) {
  await using server = await stage.openRelay({ ...(file !== undefined && { file }) });
  const driver = () => new Child<DriverCalls>("drivers", { folder: PROCESSES });
  await using floods = driver();
  await using watcher = driver();
  const apps = await inParallel(WATCHED, 4, async (index) =>
    file === undefined ? Stranger.paired(server, 1 + index) : new Stranger(server),
  );
  const packageIds = await inParallel(WATCHED, 4, (index) => (apps[index] as Stranger).send());
  const computers = apps.map(({ computer }) => computer);
  const job = { url: server.url, seconds, computers, packageIds };
  const watch = { ...job, sockets: 0, bodies: 0, uploads: 0 };
  await watcher.call("watch", { ...watch, seconds: 2 });
  const idle = file === undefined ? await watcher.call("watch", watch) : { p99Ms: 0 };
  const before = (await server.readLog()).length;
  const flooding = floods.call("floodLog", job);
  const watching = watcher.call("watch", watch);
  await letPass((seconds * 1000) / 2);
  const refused = await inParallel(HONEST_REFUSALS, 4, () =>
    (apps[0] as Stranger).asApp("/packages/none/status"),
  );
  const newcomer = new Stranger(server, { from: siteAddress(0x6000) });
  refused.push(await newcomer.claim("ZZZZZZ"));
  const register = () => newcomer.call("/importer/register", undefined, { body: {} });
  const newcomers = await served(["newcomers who could register", "computers"], 201, register);
  const [flood, status] = await Promise.all([flooding, watching]);
  const log = (await server.readLog()).slice(before);
  const ids = refused.map(({ headers }) => String(headers["x-request-id"]));
  return { flood, idle, status, log, ids, newcomers };
}
