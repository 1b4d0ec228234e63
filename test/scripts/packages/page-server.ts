import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".html": "text/html",
};
/** An app's page. */
export function pageWith(script: string): string {
  return `<!doctype html><title>App</title><div id="root"></div><script type="module" src="${script}"></script>`;
}

/** Serves a built page and its files on a free port of this computer. */
export async function servePage(
  folder: string,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://page").pathname);
    const type = TYPES[extname(path)] ?? "text/html";
    const reading =
      path === "/" ? Promise.resolve(pageWith("page.js")) : readFile(join(folder, path));
    reading.then(
      (content) => response.setHeader("Content-Type", type).end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
