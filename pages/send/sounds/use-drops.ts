import { useEffect, useRef, useState } from "preact/hooks";
import { type Dropped, readDropped } from "./read-dropped.ts";

/** Whether something is dragged over the page. A drop anywhere on it calls `onDrop`. */
export function useDrops(onDrop: (dropped: Dropped) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const latest = useRef(onDrop);
  latest.current = onDrop;
  useEffect(() => {
    const ending = new AbortController();
    const on = (name: "dragover" | "dragleave" | "drop", act: (event: DragEvent) => void): void =>
      document.addEventListener(name, act, { signal: ending.signal });
    const holdsFiles = ({ dataTransfer }: DragEvent) =>
      dataTransfer?.types.includes("Files") === true;
    on("dragover", (event) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setIsOver(true);
    });
    on("dragleave", (event) => {
      if (event.relatedTarget === null) setIsOver(false);
    });
    on("drop", (event) => {
      setIsOver(false);
      if (!holdsFiles(event) || event.dataTransfer === null) return;
      event.preventDefault();
      void readDropped(event.dataTransfer).then(latest.current);
    });
    return () => ending.abort();
  }, []);
  return isOver;
}
