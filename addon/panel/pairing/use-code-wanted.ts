import { useEffect, useRef, useState } from "preact/hooks";

/**
 * Requests a code once when it becomes wanted on a visible page. Doesn't retry a failure, unless a click
 * does or the code was unwanted meanwhile, as after a lost connection.
 */
export function useCodeWanted(isWanted: boolean, ask: () => void): void {
  const isVisible = useIsVisible();
  const wasAsked = useRef(false);
  useEffect(() => {
    if (!isWanted) wasAsked.current = false;
    else if (isVisible && !wasAsked.current) {
      wasAsked.current = true;
      ask();
    }
  }, [isWanted, isVisible, ask]);
}

function useIsVisible(): boolean {
  const [isVisible, setIsVisible] = useState(!document.hidden);
  useEffect(() => {
    const update = (): void => setIsVisible(!document.hidden);
    document.addEventListener("visibilitychange", update);
    return () => document.removeEventListener("visibilitychange", update);
  }, []);
  return isVisible;
}
