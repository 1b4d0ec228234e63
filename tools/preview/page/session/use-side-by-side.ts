import { useState } from "preact/hooks";

const KEPT_AS = "soundferry.preview.side-by-side";

/** Whether the scenes' columns stand side by side, kept for the next time where the browser keeps things. */
export function useSideBySide(): readonly [isOn: boolean, set: (isOn: boolean) => void] {
  const [isOn, setIsOn] = useState(readKept);
  const set = (isOn: boolean): void => {
    setIsOn(isOn);
    try {
      localStorage.setItem(KEPT_AS, String(isOn));
    } catch {
      // This browser keeps nothing.
    }
  };
  return [isOn, set];
}

function readKept(): boolean {
  try {
    return localStorage.getItem(KEPT_AS) === "true";
  } catch {
    return false;
  }
}
