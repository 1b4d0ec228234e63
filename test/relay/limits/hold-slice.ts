import { PostgresLimits } from "../../../relay/limits/postgres-limits.ts";
import { Connections } from "../../../relay/storage/postgres/connections.ts";
import { runningTime } from "../../../relay/storage/system.ts";

/** A process that takes 100 units of a large window, says so, and lives until it is killed. */
const [, , url = "", max = "0", windowMs = "0"] = process.argv;
const connections = await Connections.open({ url, max: 3, onTrouble: () => undefined });
const limits = new PostgresLimits({ connections, clock: runningTime });
const window = { max: Number(max), windowMs: Number(windowMs) };
for (let index = 0; index < 100; index += 1) {
  const { allowed } = await limits.take([{ bucket: "codes", key: "all", window }]);
  if (!allowed) throw new Error("It was refused.");
}
process.stdout.write("holds\n");
setInterval(() => undefined, 1000);
