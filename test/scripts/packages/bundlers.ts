import { join, extname, normalize } from "node:path";
import { build as buildWithEsbuild } from "esbuild";
import { build as buildWithVite, createLogger, createServer } from "vite";
import type { Project } from "./project.ts";
import { readFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A warning about components for servers and pages; Vite's React plugin silences it. */
const EXPECTED = /module level directive \\*"use client/;

/** A bundler as an app's developer starts it, with nothing configured. */
export interface Bundler {
  readonly title: string;
  /**
   * Builds the project's page, `index.html` with `page.js` or `page.jsx`.
   * @param to a new folder in the project
   * @returns its warnings
   */
  readonly build: (project: Project, script: string, to: string) => Promise<readonly string[]>;
}

export const ESBUILD: Bundler = {
  title: "esbuild",
  build: async ({ folder }, script, to) => {
    const { warnings } = await buildWithEsbuild({
      absWorkingDir: folder,
      entryPoints: { page: script },
      outdir: to,
      bundle: true,
      format: "esm",
      splitting: true,
      minify: true,
      jsx: "automatic",
      define: { "process.env.NODE_ENV": '"production"' },
      logLevel: "silent",
    });
    return warnings.map(({ text }) => text);
  },
};

export const VITE: Bundler = {
  title: "Vite",
  build: async ({ folder }, script, to) => {
    const warnings: string[] = [];
    const warn = (text: string) => {
      if (!EXPECTED.test(text)) warnings.push(text);
    };
    const logger = { ...createLogger("silent"), warn, warnOnce: warn };
    await buildWithVite({
      root: folder,
      configFile: false,
      logLevel: "silent",
      customLogger: logger,
      build: {
        outDir: join(folder, to),
        rolldownOptions: { input: join(folder, script), output: { entryFileNames: "page.js" } },
      },
    });
    return warnings;
  },
};

/** Vite as it runs while an app is written: it serves the sources and bundles packages when they are first asked for. */
export async function serveWithVite({
  folder,
}: Project): Promise<AsyncDisposable & { readonly url: string }> {
  const server = await createServer({
    root: folder,
    configFile: false,
    logLevel: "silent",
    server: { host: "127.0.0.1", port: 0 },
  });
  await server.listen();
  return {
    url: server.resolvedUrls?.local[0] ?? "",
    [Symbol.asyncDispose]: () => server.close(),
  };
}

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
  const server = createHttpServer((request, response) => {
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
