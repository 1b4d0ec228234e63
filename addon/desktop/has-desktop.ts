export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether somebody sits at this computer and sees the windows that a program opens. */
export function hasDesktop(platform: string, environment: Environment): boolean {
  const has = (name: string) => (environment[name] ?? "") !== "";
  if (has("CI")) return false;
  if (platform === "linux") return has("DISPLAY") || has("WAYLAND_DISPLAY");
  return !has("SSH_CONNECTION") && (platform === "darwin" || platform === "win32");
}
