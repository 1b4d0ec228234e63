import { type Context, createContext } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";

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

/** Makes a context that provides one value to all parts of a page, and the hook that reads it. */
export function makeContext<Value extends object>(): readonly [
  context: Context<Value | null>,
  use: () => Value,
] {
  const context = createContext<Value | null>(null);
  const use = (): Value => {
    const value = useContext(context);
    if (value === null) throw new Error("Outside the page.");
    return value;
  };
  return [context, use];
}
