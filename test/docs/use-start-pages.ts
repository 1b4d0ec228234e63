import { beforeAll } from "vitest";
import { useSoundferry } from "./examples/soundferry-at-work.ts";
import { readPages } from "./read-pages.ts";

/** An example on a page. */
export interface Example {
  readonly language: string;
  readonly text: string;
}

/** Soundferry as the pages start it, for all tests of a file, and the pages' examples with its relay in them. */
export function useStartPages() {
  const soundferry = useSoundferry();
  let relayUrl = "";
  beforeAll(() => {
    ({ relayUrl } = soundferry);
  });
  const withRelay = (text: string) => text.replaceAll("http://127.0.0.1:4700", relayUrl);
  const examplesOf = (path: string): readonly Example[] => {
    const page = readPages().find((one) => one.path === path);
    return (page?.blocks ?? []).map(({ language, text }) => ({ language, text: withRelay(text) }));
  };
  return {
    get relayUrl() {
      return relayUrl;
    },
    withRelay,
    examplesOf,
    /** The examples in one language, in the page's order. */
    codeOf: (path: string, language: string): readonly string[] =>
      examplesOf(path)
        .filter((one) => one.language === language)
        .map(({ text }) => text),
  };
}
