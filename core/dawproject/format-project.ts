import { MAX_BPM, MIN_BPM } from "../limits.ts";
import { DAWPROJECT_STYLE, formatXml, type XmlElement } from "../text/xml.ts";
import { VERSION } from "../version.ts";
import type {
  ClipPass,
  ClipWarp,
  Project,
  ProjectClip,
  ProjectScene,
  ProjectTrack,
} from "./project.ts";

/** The default end of the fader's range, about +6 dB. */
const VOLUME_MAX = 2;

/** The name of unwarped audio in Bitwig Studio and ProjectConverter. */
const UNWARPED = "raw";

export function formatMetadata({ title }: Project): string {
  const comment = `Made by Soundferry ${VERSION}.`;
  return formatXml({ MetaData: { Title: title, Comment: comment } }, DAWPROJECT_STYLE);
}

/** Formats `project.xml` in DAWproject 1.0 (rules D1 to D6); deterministic. */
export function formatProject(project: Project): string {
  const printer = new ProjectPrinter(project);
  return formatXml({ Project: printer.print() }, DAWPROJECT_STYLE);
}

/** Builds the elements of `project.xml` and assigns their ids. */
class ProjectPrinter {
  readonly #project: Project;
  readonly #trackIds = new Map<ProjectTrack, string>();
  #ids = 0;

  constructor(project: Project) {
    this.#project = project;
  }

  print(): XmlElement {
    const { scenes } = this.#project;
    return {
      "@version": "1.0",
      Application: { "@name": "Soundferry", "@version": VERSION },
      Transport: this.#transport(),
      Structure: { Track: this.#tracks(scenes.flatMap(({ tracks }) => tracks)) },
      Arrangement: this.#arrangement(),
      Scenes: { Scene: scenes.map((scene) => this.#scene(scene)) },
    };
  }

  #transport(): XmlElement {
    const [numerator, denominator] = this.#project.timeSignature;
    return {
      Tempo: {
        ...this.#head("Tempo"),
        "@unit": "bpm",
        "@min": MIN_BPM,
        "@max": MAX_BPM,
        "@value": this.#project.tempoBpm,
      },
      TimeSignature: {
        ...this.#head(),
        "@numerator": numerator,
        "@denominator": denominator,
      },
    };
  }

  #tracks(tracks: readonly ProjectTrack[]): readonly XmlElement[] {
    const masterId = this.#nextId();
    const master = {
      ...this.#head("Master"),
      "@contentType": "audio",
      "@loaded": true,
      Channel: { "@id": masterId, "@role": "master", ...formatChannel(2), ...this.#fader(1) },
    };
    return [...tracks.map((track) => this.#track(track, masterId)), master];
  }

  #track(track: ProjectTrack, destination: string): XmlElement {
    const id = this.#nextId();
    this.#trackIds.set(track, id);
    const { clip, name, volume } = track;
    return {
      "@id": id,
      "@name": name,
      "@color": clip.color,
      "@contentType": "audio",
      "@loaded": true,
      Channel: {
        ...this.#head(),
        "@role": "regular",
        "@destination": destination,
        ...formatChannel(clip.audio.channels),
        ...this.#fader(volume),
      },
    };
  }

  /** Formats a volume with a neutral pan, without which some readers ignore it. */
  #fader(volume: number): XmlElement {
    return {
      Mute: { ...this.#head("Mute"), "@value": false },
      Pan: { ...this.#head("Pan"), "@unit": "normalized", "@min": 0, "@max": 1, "@value": 0.5 },
      Volume: {
        ...this.#head("Volume"),
        "@unit": "linear",
        "@min": 0,
        "@max": Math.max(VOLUME_MAX, volume),
        "@value": volume,
      },
    };
  }

  #arrangement(): XmlElement {
    const { scenes } = this.#project;
    const markers = scenes.flatMap(({ name, startBeats }) =>
      startBeats === null ? [] : [{ "@name": name, "@time": startBeats }],
    );
    const tracks = scenes.flatMap((scene) => scene.tracks);
    const laidOut = tracks.filter(({ passes }) => passes.length > 0);
    return {
      ...this.#head(),
      Lanes: {
        ...this.#head(),
        "@timeUnit": "beats",
        Lanes: laidOut.map((track) => this.#lane(track)),
      },
      ...(markers.length > 0 && {
        Markers: { ...this.#head(), "@timeUnit": "beats", Marker: markers },
      }),
    };
  }

  #lane(track: ProjectTrack): XmlElement {
    const clips = track.passes.map((pass) => this.#clip(track.clip, pass));
    return {
      ...this.#head(),
      "@track": this.#trackIds.get(track),
      Clips: { ...this.#head(), Clip: clips },
    };
  }

  #scene({ name, tracks }: ProjectScene): XmlElement {
    const slots = tracks.map((track) => this.#slot(track));
    return {
      ...this.#head(name),
      Lanes: { ...this.#head(), "@timeUnit": "beats", ClipSlot: slots },
    };
  }

  #slot(track: ProjectTrack): XmlElement {
    const { durationBeats, looping } = track.clip;
    const pass = { startBeats: 0, durationBeats, isLooping: looping };
    return {
      ...this.#head(),
      "@track": this.#trackIds.get(track),
      "@hasStop": true,
      Clip: this.#clip(track.clip, pass),
    };
  }

  /** Formats a clip with one event, like Bitwig Studio; some readers require that form (rule D2). */
  #clip(clip: ProjectClip, pass: ClipPass): XmlElement {
    return {
      "@name": clip.name,
      "@color": clip.color,
      "@time": pass.startBeats,
      "@duration": pass.durationBeats,
      "@contentTimeUnit": "beats",
      "@playStart": 0,
      ...(pass.isLooping && { "@loopStart": 0, "@loopEnd": clip.durationBeats }),
      Clips: { ...this.#head(), Clip: this.#event(clip) },
    };
  }

  /** Formats the event of a clip: the whole file, followed by silence in a longer loop. */
  #event(clip: ProjectClip): XmlElement {
    const { name, durationBeats, warp } = clip;
    return {
      "@name": name,
      "@time": 0,
      "@duration": Math.max(durationBeats, warp?.fileEndBeats ?? 0),
      "@contentTimeUnit": warp === null ? "seconds" : "beats",
      "@playStart": 0,
      ...(warp === null ? { Audio: this.#audio(clip) } : { Warps: this.#warps(clip, warp) }),
    };
  }

  /** Formats a warp as exactly two points, a constant speed; some readers support nothing else (rule D2). */
  #warps(clip: ProjectClip, { fileEndBeats }: ClipWarp): XmlElement {
    return {
      ...this.#head(),
      "@contentTimeUnit": "seconds",
      "@timeUnit": "beats",
      Audio: this.#audio(clip),
      Warp: [
        { "@time": 0, "@contentTime": 0 },
        { "@time": fileEndBeats, "@contentTime": clip.audio.durationSeconds },
      ],
    };
  }

  #audio({ audio, warp }: ProjectClip): XmlElement {
    return {
      ...this.#head(),
      "@timeUnit": "seconds",
      "@duration": audio.durationSeconds,
      "@sampleRate": audio.sampleRateHz,
      "@channels": audio.channels,
      "@algorithm": warp?.mode ?? UNWARPED,
      File: { "@path": audio.path, "@external": audio.isExternal ?? false },
    };
  }

  #head(name?: string): XmlElement {
    return { "@id": this.#nextId(), "@name": name };
  }

  /** Returns a new id, which in XML must start with a letter. */
  #nextId(): string {
    this.#ids += 1;
    return `id${this.#ids}`;
  }
}

function formatChannel(audioChannels: number): XmlElement {
  return { "@audioChannels": audioChannels, "@solo": false };
}
