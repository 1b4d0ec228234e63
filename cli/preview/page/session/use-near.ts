import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/**
 * Whether an element has come near what can be seen; once it has, it stays so.
 * @param margin how far beyond the edges of the scrolled session that is, as CSS writes it
 */
export function useNear<Box extends Element>(
  margin: string,
): readonly [box: RefObject<Box | null>, isNear: boolean] {
  const box = useRef<Box>(null);
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    if (box.current === null || isNear) return undefined;
    const watch = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setIsNear(true);
      },
      { root: box.current.closest("main"), rootMargin: margin },
    );
    watch.observe(box.current);
    return () => watch.disconnect();
  }, [margin, isNear]);
  return [box, isNear];
}
