import { Connections } from "../../../relay/storage/postgres/connections.ts";
import { runIn } from "../../../relay/storage/postgres/transaction.ts";
import { notify } from "../../../relay/storage/records/statement.ts";

// Started by a test with the URL of a database: changes something, and is killed before it can notify.
const [, , url = ""] = process.argv;
const connections = await Connections.open({ url, max: 2, onTrouble: () => undefined });
await connections.transaction((tx) =>
  runIn(tx, notify({ topic: "package:1", notification: { type: "packages.changed" } })),
);
process.kill(process.pid, "SIGKILL");
