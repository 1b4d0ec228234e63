import { render } from "preact";
import { choosePageLanguage } from "../kit/choose-page-language.ts";
import { guardDoubleClicks } from "../kit/guard-double-clicks.ts";
import { openPageRoot } from "../kit/page-root.ts";
import { BrowserImporter } from "./importer/browser-importer.ts";
import { saveNewZips } from "./place/save-zip.ts";
import { ReceiveApp } from "./receive-app.tsx";

// The page's entry point: opens what this browser knows as an importer, then renders.

choosePageLanguage();
const importer = new BrowserImporter();
const root = openPageRoot();
guardDoubleClicks(root);
saveNewZips(importer);
render(<ReceiveApp importer={importer} />, root);
void importer.open();
