import { build, type Plugin } from "esbuild";
import { type Language, LANGUAGES } from "../../core/messages/languages.ts";
import { VERSION } from "../../core/version.ts";
import { BUILD_OPTIONS } from "./bundle-client.ts";
import { isOfAudio, isOfElement, onlyMessages, TABLE_NAMES } from "./only-messages.ts";

/**
 * What a relay serves beside the client, by path: `element.js`, which defines `<soundferry-send>`, its other languages
 * in `element-<version>/`, and `audio.js`. The element loads a language, and `audio-<version>.js` once a sound needs it.
 */
export async function bundleElementFiles(): Promise<Map<string, string>> {
  const entries: [path: string, entry: string, plugins: Plugin[]][] = [
    ["element.js", "client/element/index.ts", [partsApart(), onlyMessages(isOfElement)]],
    ["audio.js", "client/audio/index.ts", [onlyMessages(isOfAudio)]],
    ...LANGUAGES.filter((language) => language !== "en").map(
      (language): [string, string, Plugin[]] => [
        partOf(language),
        `core/messages/${language}/${TABLE_NAMES[language].toLowerCase()}.ts`,
        [onlyMessages(isOfElement)],
      ],
    ),
  ];
  const bundles = entries.map(async ([path, entry, plugins]): Promise<[string, string]> => [
    path,
    await bundle(entry, plugins),
  ]);
  return new Map(await Promise.all(bundles));
}

async function bundle(entry: string, plugins: Plugin[]): Promise<string> {
  const { outputFiles } = await build({
    ...BUILD_OPTIONS,
    entryPoints: [entry],
    minify: true,
    platform: "browser",
    plugins,
  });
  return outputFiles[0]?.text ?? "";
}

/** Keeps imports of what the element loads on demand, as those of the files beside it. */
function partsApart(): Plugin {
  return {
    name: "parts apart",
    setup: (bundler) => {
      bundler.onResolve(
        { filter: /\/(audio\/index|messages\/\w+\/\w+)\.ts$/ },
        ({ path, kind }) => {
          if (kind !== "dynamic-import") return undefined;
          const language = LANGUAGES.find((one) => path.includes(`/${one}/`));
          const part = language === undefined ? `audio-${VERSION}.js` : partOf(language);
          return { path: `./${part}`, external: true };
        },
      );
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
