/** Where the servers of panel and preview have the stretching module; the only script beside the page (rule N10). */
export const STRETCH_PATH = "/stretch.js";
