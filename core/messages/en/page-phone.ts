/** Texts of the relay's page on phones, and of the way to the page that receives. */
export const PAGE_PHONE = {
  "page.directions": "Send or receive",
  "page.send": "Send",
  "page.receive": "Receive",
  "page.receiveInstead": "Nothing installed? Open {address} in any browser.",
  "page.isVideo": "This is the sound of a video; its picture isn’t sent.",
  "page.noSound": "{file} is a video without sound.",
  "page.shareAgain": "What was shared got lost. Share it again, or choose the files here.",
  "page.chooseHere": "Choose sounds, or videos for their sound.",
} as const;
