import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Bundles a script that imports from the pages' playback, for a page. */
export async function bundlePlayback(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents,
      resolveDir: fileURLToPath(new URL("../../../../pages/kit/playback", import.meta.url)),
    },
    bundle: true,
    format: "iife",
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}
