import { readFileSync } from "node:fs";
import { StandInLive } from "../../addon/hosts/live/stand-in/stand-in-live.ts";
import { loadExtension } from "./bare-context.ts";
import type { FromLive, ToLive } from "./live-messages.ts";

// Live in a separate process: the stand-in, with an extension loaded as Live loads it. Bundled into one file,
// because the process may read almost nothing.

const [extensionPath = "", folder = ""] = process.argv.slice(2);
const live = new StandInLive(folder);
let answerDialog: (text: string) => void = () => undefined;

function send(message: FromLive): void {
  process.send?.(message);
}

live.ui.answerDialog = ({ url }) => {
  const { promise, resolve } = Promise.withResolvers<string>();
  answerDialog = resolve;
  send({ kind: "dialog", url });
  return promise;
};

process.on("message", (message: ToLive) => {
  switch (message.kind) {
    case "click":
      live.clickMenu("Scene", message.title, { scene: message.scene });
      return;
    case "answer":
      answerDialog(message.text);
      return;
    case "look":
      send({ kind: "picture", picture: live.look(), progress: live.ui.progress });
  }
});

// Ends with the test, even if the test is killed.
process.on("disconnect", () => process.exit());

loadExtension(readFileSync(extensionPath, "utf8")).activate({ context: live.context });
const { permission } = process;
send({
  kind: "active",
  node: process.versions.node,
  mayDo: {
    readElsewhere: permission.has("fs.read", process.execPath),
    writeElsewhere: permission.has("fs.write", extensionPath),
    startThreads: permission.has("worker"),
    startProcesses: permission.has("child"),
  },
});
