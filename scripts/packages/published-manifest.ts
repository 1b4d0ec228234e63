import { type Exports, node10Fields } from "./node10-fields.ts";

/**
 * The published package.json of `soundferry`: the checkout's, without the Node runtime, the tools and the scripts.
 * @param text the checkout's package.json
 */
export function publishedManifest(text: string): Readonly<Record<string, unknown>> {
  const {
    optionalDependencies: _runtime,
    devDependencies: _tools,
    overrides: _replaced,
    scripts: _scripts,
    exports,
    ...published
  } = JSON.parse(text) as { readonly exports: Exports } & Record<string, unknown>;
  return { ...published, ...node10Fields(exports), exports };
}
