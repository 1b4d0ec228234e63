import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { makeEngineFolder, makeFolder, writeEngineFile } from "../../engines/engine-folder.ts";
import { accepts, Engine, startOnFreePorts } from "../../engines/engine.ts";
import { freePort } from "../../engines/free-port.ts";
import { findProgram } from "../../engines/programs.ts";

/** nginx that stores what is PUT, in its own folder. */
export class Nginx extends Engine {
  readonly url: string;

  constructor(folder: string, port: number) {
    super({
      name: "nginx",
      command: ["nginx", "-e", "stderr", "-p", folder, "-c", join(folder, "nginx.conf")],
      folder,
      stopSignal: "SIGTERM",
      isReady: () => accepts(port),
    });
    this.url = `http://127.0.0.1:${port}`;
  }
}

/** Says what is missing to start it; undefined if nothing is. */
export function missingForNginx(): string | undefined {
  try {
    findProgram("setpriv");
    const { stderr } = spawnSync(findProgram("nginx"), ["-V"], { encoding: "utf8" });
    return stderr.includes("http_dav_module") ? undefined : "has no module for PUT (dav)";
  } catch (error) {
    return sentenceOf(error);
  }
}

export async function startNginx(): Promise<Nginx> {
  return startOnFreePorts(async () => {
    const folder = await makeEngineFolder("nginx");
    const port = await freePort();
    await makeFolder(join(folder, "files"));
    await writeEngineFile(join(folder, "nginx.conf"), configuration(folder, port));
    return new Nginx(folder, port);
  });
}

function configuration(folder: string, port: number): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `  ${kind}_temp_path ${folder}/${kind};`,
  );
  return [
    `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr;`,
    "events {}",
    "http {",
    ...temporary,
    "  access_log off;",
    "  client_max_body_size 0;",
    `  server { listen 127.0.0.1:${port}; root ${folder}/files; location / { dav_methods PUT; } }`,
    "}",
    "",
  ].join("\n");
}
