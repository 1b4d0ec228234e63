import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/**
 * Whether an element has come near what can be seen; once it has, it stays so.
 * @param margin how far beyond the edges of the scrolled session that is, as CSS writes it
 * @param dwellMs how long it must have been there: what is only scrolled past is not
 */
export function useNear<Box extends Element>(
  margin: string,
  dwellMs = 0,
): readonly [box: RefObject<Box | null>, isNear: boolean] {
  const box = useRef<Box>(null);
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    if (box.current === null || isNear) return undefined;
    let dwelling: ReturnType<typeof setTimeout> | undefined;
    const look = (isThere: boolean): void => {
      clearTimeout(dwelling);
      if (isThere) dwelling = setTimeout(() => setIsNear(true), dwellMs);
    };
    const watch = new IntersectionObserver(
      (entries) => look(entries.at(-1)?.isIntersecting === true),
      { root: box.current.closest("main"), rootMargin: margin },
    );
    watch.observe(box.current);
    return () => {
      clearTimeout(dwelling);
      watch.disconnect();
    };
  }, [margin, dwellMs, isNear]);
  return [box, isNear];
}
