import { once } from "node:events";
import type { Server } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { answerCalls } from "./answer-calls.ts";
import { urlOf } from "./url-of.ts";

/** The part of @tus/server that the bench uses. */
interface TusServer {
  readonly Server: new (options: { readonly path: string; readonly datastore: object }) => {
    listen(port: number, host: string): Server;
  };
}

/** And of @tus/file-store. */
interface TusFileStore {
  readonly FileStore: new (options: { readonly directory: string }) => object;
}

export const tusServerCalls = {
  /**
   * Starts @tus/server with its file store.
   * @param installed the folder whose `node_modules` has both
   * @throws MODULE_NOT_FOUND if one of them isn't installed there
   */
  start: async ({ folder, installed }: { readonly folder: string; readonly installed: string }) => {
    const load = createRequire(join(installed, "package.json"));
    const { Server } = load("@tus/server") as TusServer;
    const { FileStore } = load("@tus/file-store") as TusFileStore;
    const datastore = new FileStore({ directory: folder });
    const server = new Server({ path: "/files", datastore }).listen(0, "127.0.0.1");
    await once(server, "listening");
    return { url: `${urlOf(server)}/files` };
  },
};
export type TusServerCalls = typeof tusServerCalls;

answerCalls(tusServerCalls);
