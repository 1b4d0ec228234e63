import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useView } from "../kit/use-view.ts";
import { ScenePlayer } from "../kit/playback/scene-player.ts";
import { App } from "../panel/app.tsx";
import { type Panel, PanelStore } from "../panel/panel-store.ts";
import { AskingCalls } from "./place/asking-calls.ts";
import { PlaceQuestion } from "./place/place-question.tsx";
import { zipButton } from "./place/zip-button.tsx";
import type { ReceiveImporter } from "./receive-importer.ts";
import { ReceiveSettings } from "./settings/receive-settings.tsx";

/** The panel over this browser's importer. The first import asks where it goes. */
export function ReceivingPanel({ importer }: { readonly importer: ReceiveImporter }): VNode {
  const [closing] = useState(() => new AbortController());
  const [calls] = useState(() => new AskingCalls(importer));
  const [panel] = useState((): Omit<Panel, "around"> => ({
    store: new PanelStore(calls, { isDialog: false }),
    player: new ScenePlayer(
      (packageId, soundId) => importer.sound(packageId, soundId, closing.signal),
      closing.signal,
    ),
  }));
  useEffect(() => {
    void panel.store.follow(closing.signal);
    return () => closing.abort();
  }, [panel]);
  const view = useView(importer);
  const question = useView(calls.question);
  const around = {
    settings: <ReceiveSettings importer={importer} view={view} />,
    packageButton: zipButton(view.zips),
  };
  return (
    <>
      <App panel={{ ...panel, around }} />
      {question.isOpen && (
        <PlaceQuestion importer={importer} view={view} onEnd={(end) => calls.answer(end)} />
      )}
    </>
  );
}
