import { useEffect, useState, useRef } from "preact/hooks";

/** Returns the store's view, and renders again after each change. */
export function useView<View extends object>(store: {
  readonly view: View;
  subscribe(listener: () => void): () => void;
}): View {
  const [view, setView] = useState(store.view);
  useEffect(() => {
    const read = (): void => setView(store.view);
    read();
    return store.subscribe(read);
  }, [store]);
  return view;
}

/** Returns one value of a store's view, and renders again only when that value changes. */
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
