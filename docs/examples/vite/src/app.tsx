import { type ElementSound, SoundferrySend } from "@soundferry/react";
import { type ReactElement, useState } from "react";
import { BPM, renderBeeps } from "./render-beeps.ts";

// The relay that your users' computers are connected to; `npx soundferry up` starts one here.
const RELAY = new URLSearchParams(location.search).get("relay") ?? "http://127.0.0.1:4700";

/** Makes loops, and sends them to Live. */
export function App(): ReactElement {
  const [sounds, setSounds] = useState<readonly ElementSound[]>([]);
  const [news, setNews] = useState("");
  const make = async (pitchHz: number): Promise<void> => {
    const source = await renderBeeps(pitchHz);
    const name = `Beeps ${pitchHz}`;
    setSounds((before) => [...before, { source, name, kind: "loop", role: "melodic" }]);
  };
  return (
    <main>
      <h1>Beep</h1>
      <p>
        {[220, 330, 440].map((pitchHz) => (
          <button key={pitchHz} type="button" onClick={() => void make(pitchHz)}>
            Make {pitchHz} Hz
          </button>
        ))}
      </p>
      <SoundferrySend
        relay={RELAY}
        app="Beep"
        sceneTitle="Beeps"
        bpm={BPM}
        sounds={sounds}
        sources={["record"]}
        onSent={() => setSounds([])}
        onResult={({ status }) => setNews(`The last package is ${status}.`)}
      />
      <output>{news}</output>
    </main>
  );
}
