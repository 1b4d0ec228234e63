export { KeptPackages } from "../keeping/kept-packages.ts";
