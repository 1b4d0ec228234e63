import type { VNode } from "preact";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { ClipList } from "../../kit/clip-list/clip-list.tsx";
import type { ClipMixer } from "../../kit/clip-list/clip-list-props.ts";
import { usePreview } from "../preview-context.ts";
import { usePicked } from "../../kit/use-picked.ts";
import type { Workspace } from "../workspace/use-workspace.ts";

interface SceneClipsProps {
  readonly label: string;
  readonly work: Workspace;
}

/** The sounds of the picked scene, or those that a search finds. */
export function SceneClips({ label, work }: SceneClipsProps): VNode {
  const { audio, player } = usePreview();
  const { sounds, selection, onSelect, onOpenSound } = work;
  const rows = useMemo(() => sounds.map(({ row }) => row), [sounds]);
  // Before painting, because rows ask for their waveforms then.
  useLayoutEffect(() => audio.setRows(sounds), [audio, sounds]);
  const muted = usePicked(player, (view) => view.muted);
  const soloed = usePicked(player, (view) => view.soloed);
  const withSound = (key: string, act: (sceneKey: string, soundId: string) => void): void => {
    const sound = sounds.find(({ row }) => row.key === key);
    if (sound !== undefined) act(sound.scene.key, sound.track.id);
  };
  const mixer: ClipMixer = {
    muted,
    soloed,
    onMute: (key, isOn) => withSound(key, (scene, id) => player.setMuted(scene, id, isOn)),
    onSolo: (key, isOn) => withSound(key, (scene, id) => player.setSolo(scene, id, isOn)),
  };
  return <ClipList {...{ label, rows, audio, selection, onSelect, mixer }} onOpen={onOpenSound} />;
}
