import { expect, test } from "vitest";
import { isSyncedFolder } from "../../../addon/disk/synced-folder.ts";

test.each([
  "/Users/mia/Library/Mobile Documents/com~apple~CloudDocs/Ableton/User Library",
  "/Users/mia/Library/CloudStorage/OneDrive-Personal/User Library",
  "/Users/mia/Library/CloudStorage/GoogleDrive-mia@example.com/My Drive/User Library",
  "/Users/mia/Dropbox/Ableton/User Library",
  "/Users/mia/Dropbox (Privat)/User Library",
  "/Users/mia/Acme Dropbox/Mia Muster/User Library",
  "/Users/mia/Google Drive/User Library",
  "/Volumes/GoogleDrive/My Drive/User Library",
  String.raw`C:\Users\mia\OneDrive\Documents\Ableton\User Library`,
  String.raw`C:\Users\mia\OneDrive - Acme GmbH\Dokumente\Ableton\User Library`,
  String.raw`C:\Users\mia\iCloudDrive\User Library`,
  String.raw`c:\users\mia\onedrive\documents`,
  String.raw`G:\My Drive\User Library`,
  String.raw`G:\Meine Ablage\User Library`,
  "/home/mia/Dropbox/User Library",
  "/home/mia/Google Drive",
])("[F9] %s is synchronized", (path) => {
  expect(isSyncedFolder(path)).toBe(true);
});

test.each([
  "/Users/mia/Music/Ableton/User Library",
  "/Volumes/Drive/User Library",
  "/Volumes/Samples/My Drive/User Library",
  "/Users/mia/Documents/Mobile Documents",
  "/Users/mia/Music/CloudStorage",
  "/Users/mia/Dropbox samples",
  "/Users/mia/Music/OneDriver",
  String.raw`C:\Users\mia\Documents\Ableton\User Library`,
  String.raw`D:\Ableton\User Library`,
  String.raw`D:\Music\My Drive`,
  "/home/mia/Music/Ableton/User Library",
  "/",
])("[F9] %s is not", (path) => {
  expect(isSyncedFolder(path)).toBe(false);
});

test("[F9] what the system names as synchronized is, whatever its name and letter case", () => {
  const roots = [String.raw`D:\Cloud`];
  expect(isSyncedFolder(String.raw`d:\cloud\Documents`, roots)).toBe(true);
  expect(isSyncedFolder(String.raw`D:\Clouds\Documents`, roots)).toBe(false);
  expect(isSyncedFolder(String.raw`D:\Music`, [""])).toBe(false);
});
