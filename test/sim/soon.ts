import { type Assertion, expect } from "vitest";
import { until } from "./until.ts";

type Matchers = Record<PropertyKey, (...args: unknown[]) => void>;
type SoonMatchers<Read> = Assertion<Promise<void>, Awaited<Read>>;

/**
 * Waits until what it reads is as the matcher after it expects, as `until` does; a hang fails as the matcher does.
 * @param name what is read, for the failure
 */
export function soon<Read>(read: () => Read, name?: string): SoonMatchers<Read> {
  const matchersOf = (value: unknown) => expect(value, name);
  const not = matchersFor(read, (value) => matchersOf(value).not);
  return matchersFor(read, matchersOf, { not }) as SoonMatchers<Read>;
}

function matchersFor(
  read: () => unknown,
  of: (value: unknown) => object,
  own: object = {},
): object {
  return new Proxy(own, {
    get: (_, name) =>
      Reflect.get(own, name) ??
      ((...args: unknown[]) =>
        until(() => {
          const match = (value: unknown) => (of(value) as Matchers)[name]?.(...args);
          const found = read();
          return found instanceof Promise ? found.then(match) : match(found);
        })),
  });
}
