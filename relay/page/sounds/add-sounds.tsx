import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { countOf } from "../../../core/text/count-of.ts";
import { usePage } from "../page-context.ts";
import { type Dropped, readDropped } from "./read-dropped.ts";
import { inOrder, isSoundFile } from "./sound-files.ts";

/** Takes files and folders: dropped anywhere on the page, or chosen. */
export function AddSounds({ reading }: { readonly reading: number }): VNode {
  const { sounds } = usePage();
  const isOver = useDrops(({ files, unreadable }) => void sounds.add(files, unreadable));
  const [files, folder] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  useEffect(() => {
    if (folder.current !== null) folder.current.webkitdirectory = true;
  }, [folder]);
  const take = (input: HTMLInputElement, isWanted: (file: File) => boolean): void => {
    void sounds.add(inOrder([...(input.files ?? [])].filter(isWanted)));
    // So that the same file can be chosen again.
    input.value = "";
  };
  return (
    <div class={isOver ? "drop over" : "drop"}>
      <p>
        Drop WAV files or a folder here.{" "}
        <span class="quiet">Other formats are converted to WAV.</span>
      </p>
      <div class="buttons">
        <button type="button" id="add-sounds" onClick={() => files.current?.click()}>
          Choose files
        </button>
        <button type="button" onClick={() => folder.current?.click()}>
          Choose a folder
        </button>
        {reading > 0 && <span class="quiet">Reading {countOf(reading, "file")}…</span>}
      </div>
      <input
        ref={files}
        hidden
        type="file"
        multiple
        accept="audio/*,.wav"
        aria-label="Sound files"
        onChange={(event) => take(event.currentTarget, () => true)}
      />
      <input
        ref={folder}
        hidden
        type="file"
        aria-label="A folder of sounds"
        onChange={(event) => take(event.currentTarget, ({ name }) => isSoundFile(name))}
      />
    </div>
  );
}

/** Whether something is dragged over the page. A drop anywhere on it calls `onDrop`. */
function useDrops(onDrop: (dropped: Dropped) => void): boolean {
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
