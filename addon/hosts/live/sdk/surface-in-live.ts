import { withoutWindowsPrefix } from "../../live-path.ts";
import { ControlSurfaceHost } from "../remote-script/control-surface-host.ts";
import type { LiveContext } from "./live-api.ts";
import { indexOfPlace } from "./scene-place.ts";

export interface SurfaceFolders {
  /** Where the control surface leaves its port file. */
  readonly granted: string;
  readonly sounds: string;
}

/**
 * The control surface as Live's extension uses it (rule H17): the extension brings each file into the project
 * and knows the clicked scene, and the control surface places.
 */
export function surfaceInLive(
  { resources, application }: LiveContext,
  { granted, sounds }: SurfaceFolders,
): ControlSurfaceHost {
  return new ControlSurfaceHost({
    folders: [granted],
    soundsFolder: sounds,
    // Live may answer with nothing where it made no copy.
    bringFile: async (path) =>
      withoutWindowsPrefix(await resources.importIntoProject(path)) || path,
    rowOf: (place) => indexOfPlace(application.song, place),
  });
}
