import { useEffect, useRef, useState } from "preact/hooks";

/** One value of a store's view. The component renders again only when that value changes. */
export function usePicked<View extends object, Picked>(
  store: { readonly view: View; subscribe(listener: () => void): () => void },
  pick: (view: View) => Picked,
): Picked {
  const latest = useRef(pick);
  latest.current = pick;
  const [, setPicked] = useState(() => pick(store.view));
  useEffect(() => {
    const read = (): void => setPicked(() => latest.current(store.view));
    read();
    return store.subscribe(read);
  }, [store]);
  return pick(store.view);
}
