import { useEffect, useRef, useState } from "preact/hooks";

/**
 * Asks once for a code whenever one comes to be wanted while the page can be seen. A failure is not asked
 * again by itself: only a click does, or that it was not wanted for a while, as after a lost connection.
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
    const look = (): void => setIsVisible(!document.hidden);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return isVisible;
}
