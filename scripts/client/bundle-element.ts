import { type Plugin, transform } from "esbuild";
import { STYLE } from "../../client/element/style.ts";
import { type Language, LANGUAGES } from "../../core/messages/languages.ts";
import { VERSION } from "../../core/version.ts";
import { bundle, OWN, partsApart, withWorkerScript } from "./bundle-client.ts";
import {
  isOfAudio,
  isOfElement,
  isOfElementFile,
  isOfSounds,
  onlyMessages,
  TABLE_NAMES,
} from "./only-messages.ts";

/**
 * Builds the files that a relay serves beside the client, by path: `element.js`, which defines `<soundferry-send>`,
 * `audio.js`, and what the element loads when it needs it, in `element-<version>/`: other languages, and `sounds.js`.
 */
export async function bundleElementFiles(): Promise<Map<string, string>> {
  const ownPlugins = [
    partsApart(),
    languagesAndSoundsApart(),
    onlyMessages(isOfElementFile),
    smallStyle(),
  ];
  const listening = withWorkerScript("listening-worker");
  const files = new Map([
    ["element.js", (await bundle("client/element/index.ts", OWN, ownPlugins)).text],
    [
      "audio.js",
      (await bundle("client/audio/index.ts", OWN, [listening, onlyMessages(isOfAudio)])).text,
    ],
  ]);
  const sounds = await bundle("client/element/sounds-part.ts", OWN, [
    listening,
    onlyMessages(isOfSounds),
  ]);
  files.set(partOf("sounds"), sounds.text);
  for (const language of LANGUAGES.filter((one) => one !== "en")) {
    const table = `core/messages/${language}/${TABLE_NAMES[language].toLowerCase()}.ts`;
    files.set(partOf(language), (await bundle(table, OWN, [onlyMessages(isOfElement)])).text);
  }
  return files;
}

/** Keeps languages and audio, which the element loads on demand, as separate files beside it. */
function languagesAndSoundsApart(): Plugin {
  return {
    name: "languages-and-sounds-apart",
    setup: (bundler) => {
      const filter = /\/(sounds-part|messages\/\w+\/\w+)\.ts$/;
      bundler.onResolve({ filter }, ({ path, kind }) => {
        if (kind !== "dynamic-import") return undefined;
        const language = LANGUAGES.find((one) => path.includes(`/${one}/`));
        const part = partOf(language ?? "sounds");
        return { path: `./${part}`, external: true };
      });
    },
  };
}

/** Minifies the element's style, which is a text in its script. */
function smallStyle(): Plugin {
  return {
    name: "small-style",
    setup: (bundler) => {
      bundler.onLoad({ filter: /element[\\/]style\.ts$/ }, async () => {
        const { code } = await transform(STYLE, {
          loader: "css",
          minify: true,
          target: "chrome123",
        });
        return { contents: `export const STYLE = ${JSON.stringify(code.trim())};` };
      });
    },
  };
}

function partOf(name: Language | "sounds"): string {
  return `element-${VERSION}/${name}.js`;
}

if (import.meta.main) {
  const { printSize } = await import("../print-size.ts");
  for (const [path, text] of await bundleElementFiles()) printSize(path, text);
}
