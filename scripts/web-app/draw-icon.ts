import { groundShape, ICON_COLORS, ICON_MARK, type IconShape } from "./icon-shapes.ts";
import { encodePng } from "./encode-png.ts";

interface IconForm {
  readonly sizePixels: number;
  /** Radius of the ground's corners, of 1; 0 where the system cuts the icon itself. */
  readonly corner: number;
  /** Size of the mark beside that of the whole; smaller where a system may cut the edges off. */
  readonly scale: number;
}

/** Draws the icon as a PNG. */
export function drawIcon({ sizePixels, corner, scale }: IconForm): Uint8Array {
  const ground = groundShape(corner);
  const [groundColor, markColor] = [rgbOf(ICON_COLORS.ground), rgbOf(ICON_COLORS.mark)];
  const pixels = new Uint8Array(sizePixels * sizePixels * 4);
  for (let row = 0; row < sizePixels; row += 1) {
    for (let column = 0; column < sizePixels; column += 1) {
      const [x, y] = [(column + 0.5) / sizePixels, (row + 0.5) / sizePixels];
      const covered = coverage([ground], x, y, sizePixels);
      const [markX, markY] = [0.5 + (x - 0.5) / scale, 0.5 + (y - 0.5) / scale];
      const marked = coverage(ICON_MARK, markX, markY, sizePixels * scale);
      const mixed = groundColor.map((part, at) => part + ((markColor[at] ?? 0) - part) * marked);
      pixels.set(
        [...mixed.map(Math.round), Math.round(covered * 255)],
        (row * sizePixels + column) * 4,
      );
    }
  }
  return encodePng(pixels, sizePixels);
}

/** Formats the icon as an SVG. */
export function formatIcon({ corner, scale }: Omit<IconForm, "sizePixels">): string {
  const mark = ICON_MARK.map((shape) => pathOf(shape, ICON_COLORS.mark)).join("");
  const inset = (1 - scale) / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">${pathOf(groundShape(corner), ICON_COLORS.ground)}<g transform="translate(${inset} ${inset}) scale(${scale})">${mark}</g></svg>`;
}

/** A line around the corners, as wide as they are rounded, makes the same shape as growing it. */
function pathOf({ corners, round }: IconShape, color: string): string {
  const points = corners.map(([x, y]) => `${tidy(x)} ${tidy(y)}`).join("L");
  const width = tidy(2 * round);
  return `<path d="M${points}Z" fill="${color}" stroke="${color}" stroke-width="${width}" stroke-linejoin="round"/>`;
}

function tidy(value: number): number {
  return Number(value.toFixed(4));
}

/** Returns how much of a pixel the shapes cover, 0 to 1. */
function coverage(shapes: readonly IconShape[], x: number, y: number, pixels: number): number {
  const nearest = Math.min(...shapes.map((shape) => distanceTo(shape, x, y)));
  return Math.max(0, Math.min(1, 0.5 - nearest * pixels));
}

/** Returns the distance from a convex shape's edge, negative inside. */
function distanceTo({ corners, round }: IconShape, x: number, y: number): number {
  let nearest = Infinity;
  let isInside = corners.length > 2;
  for (const [index, [fromX, fromY]] of corners.entries()) {
    const [toX, toY] = corners[(index + 1) % corners.length] ?? [fromX, fromY];
    const [edgeX, edgeY] = [toX - fromX, toY - fromY];
    const [wayX, wayY] = [x - fromX, y - fromY];
    const along = (wayX * edgeX + wayY * edgeY) / (edgeX ** 2 + edgeY ** 2);
    const at = Math.max(0, Math.min(1, along));
    nearest = Math.min(nearest, Math.hypot(wayX - edgeX * at, wayY - edgeY * at));
    if (edgeX * wayY - edgeY * wayX < 0) isInside = false;
  }
  return (isInside ? -nearest : nearest) - round;
}

function rgbOf(color: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
