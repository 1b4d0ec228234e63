import { type Plugin, transform } from "esbuild";
import { STYLE } from "../../client/element/style.ts";
import { type Language, LANGUAGES } from "../../core/messages/languages.ts";
import { VERSION } from "../../core/version.ts";
import { bundle, OWN, partsApart } from "./bundle-client.ts";
import { isOfAudio, isOfElement, onlyMessages, TABLE_NAMES } from "./only-messages.ts";

/**
 * Builds the files that a relay serves beside the client, by path: `element.js`, which defines `<soundferry-send>`,
 * its other languages in `element-<version>/`, and `audio.js`. The element loads a language, the client's parts, and
 * `audio-<version>.js` once a sound needs them.
 */
export async function bundleElementFiles(): Promise<Map<string, string>> {
  const ownPlugins = [
    partsApart(),
    languagesAndAudioApart(),
    onlyMessages(isOfElement),
    smallStyle(),
  ];
  const files = new Map([
    ["element.js", (await bundle("client/element/index.ts", OWN, ownPlugins)).text],
    ["audio.js", (await bundle("client/audio/index.ts", OWN, [onlyMessages(isOfAudio)])).text],
  ]);
  for (const language of LANGUAGES.filter((one) => one !== "en")) {
    const table = `core/messages/${language}/${TABLE_NAMES[language].toLowerCase()}.ts`;
    files.set(partOf(language), (await bundle(table, OWN, [onlyMessages(isOfElement)])).text);
  }
  return files;
}

/** Keeps languages and audio, which the element loads on demand, as separate files beside it. */
function languagesAndAudioApart(): Plugin {
  return {
    name: "languages-and-audio-apart",
    setup: (bundler) => {
      const filter = /\/(audio\/index|messages\/\w+\/\w+)\.ts$/;
      bundler.onResolve({ filter }, ({ path, kind }) => {
        if (kind !== "dynamic-import") return undefined;
        const language = LANGUAGES.find((one) => path.includes(`/${one}/`));
        const part = language === undefined ? `audio-${VERSION}.js` : partOf(language);
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

function partOf(language: Language): string {
  return `element-${VERSION}/${language}.js`;
}

if (import.meta.main) {
  const { printSize } = await import("../print-size.ts");
  for (const [path, text] of await bundleElementFiles()) printSize(path, text);
}
