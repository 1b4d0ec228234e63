import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RelayPages } from "../../relay/http/pages.ts";

/** What builds them in a checkout. It is not part of what is published, so no import may name it outright. */
const BUILDERS = {
  page: new URL("../../scripts/build-page.ts", import.meta.url).href,
  client: new URL("../../scripts/build-client.ts", import.meta.url).href,
};

/** The relay's page and the client: built from the sources in a checkout, else as they were published. */
export const relayPages: RelayPages = import.meta.filename.endsWith(".ts")
  ? {
      home: async () =>
        (await load<{ buildRelayPage(): Promise<string> }>("page")).buildRelayPage(),
      clientScript: async () =>
        (await load<{ buildClientScript(): Promise<string> }>("client")).buildClientScript(),
    }
  : { home: () => readBuilt("page.html"), clientScript: () => readBuilt("client.js") };

async function load<Builder>(name: keyof typeof BUILDERS): Promise<Builder> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the checkout's own script
  return (await import(BUILDERS[name])) as Builder;
}

function readBuilt(name: string): Promise<string> {
  return readFile(join(import.meta.dirname, "..", "..", name), "utf8");
}
