import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { AppBundle } from "./bundle-app.ts";

const [MAIN, MADE, CONFIG] = ["main.mjs", "made", "config.json"];

/**
 * Makes one executable of a bundle and a Node. This process must run on the same version of Node.
 * @param node path of the Node that goes into it, for any system
 * @param output path of the executable; its folder is created
 */
export async function makeExecutable(
  { code, files }: Pick<AppBundle, "code" | "files">,
  node: string,
  output: string,
): Promise<void> {
  await mkdir(dirname(output), { recursive: true });
  const work = await mkdtemp(`${output}.`);
  try {
    const assets = [...files].map(([path, content], index) => ({
      path,
      content,
      file: `${index}`,
    }));
    const texts = [{ file: MAIN, content: code }, ...assets];
    for (const { file, content } of texts) await writeFile(join(work, file), content);
    const config = {
      // Relative, because the executable contains it.
      main: MAIN,
      mainFormat: "module",
      executable: node,
      output: MADE,
      disableExperimentalSEAWarning: true,
      // Settings for other programs that run on Node don't reach it.
      execArgvExtension: "none",
      assets: Object.fromEntries(assets.map(({ path, file }) => [path, file])),
    };
    await writeFile(join(work, CONFIG), JSON.stringify(config));
    await promisify(execFile)(process.execPath, ["--build-sea", CONFIG], { cwd: work });
    const made = join(work, MADE);
    await chmod(made, 0o755);
    await rename(made, output);
  } finally {
    await rm(work, { recursive: true });
  }
}
