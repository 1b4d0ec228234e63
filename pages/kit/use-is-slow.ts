import { useEffect, useState } from "preact/hooks";

/** Whether something has been busy for at least this long. */
export function useIsSlow(isBusy: boolean, afterMs: number): boolean {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    setIsSlow(false);
    if (!isBusy) return undefined;
    const timer = setTimeout(() => setIsSlow(true), afterMs);
    return () => clearTimeout(timer);
  }, [isBusy, afterMs]);
  return isSlow;
}
