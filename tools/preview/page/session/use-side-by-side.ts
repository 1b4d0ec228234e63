import { useState } from "preact/hooks";

const STORAGE_KEY = "soundferry.preview.side-by-side";

/** Whether the scenes' tracks are side by side; stored if the browser allows it. */
export function useScenesInRow(): readonly [isOn: boolean, set: (isOn: boolean) => void] {
  const [isOn, setIsOn] = useState(readStored);
  const set = (isOn: boolean): void => {
    setIsOn(isOn);
    try {
      localStorage.setItem(STORAGE_KEY, String(isOn));
    } catch {
      // The choice lasts until the page is closed.
    }
  };
  return [isOn, set];
}

function readStored(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === "true";
  } catch {
    return false;
  }
}
