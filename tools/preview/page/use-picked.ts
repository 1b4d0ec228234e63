import { useEffect, useRef, useState } from "preact/hooks";

/**
 * One thing out of a store's view. Whoever uses it is drawn anew only when that thing is another one: a thousand
 * rows may listen to one store.
 */
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
