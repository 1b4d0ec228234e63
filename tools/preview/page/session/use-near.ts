import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/**
 * Whether an element has been near the visible part of the session; stays true.
 * @param margin what counts as near, as a CSS margin
 * @param dwellMs how long it must stay near, so that scrolling past doesn't count
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
