import { useEffect, useState } from "preact/hooks";

/** The store's view, read again after each change. */
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
