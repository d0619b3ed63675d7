import { crc32, deflateSync } from "node:zlib";
import type { Page } from "playwright-core";

/** The backgrounds and lines of a page, and enough shades for its text. A PNG palette has up to 256. */
const MAX_COLORS = 128;

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity of each pixel. */
  readonly pixels: Buffer;
}

/** A screenshot as a PNG with a palette of its most frequent colors: a quarter of the browser's file. */
export async function smallScreenshot(page: Page, { fullPage = true } = {}): Promise<Buffer> {
  const { width, height, pixels } = await pixelsOf(page, await page.screenshot({ fullPage }));
  const colors = Array.from({ length: width * height }, (_, at) => pixels.readUIntBE(at * 4, 3));
  const frequent = mostFrequent(colors);
  const indexOf = new Map(colors.map((color) => [color, -1]));
  for (const color of indexOf.keys()) indexOf.set(color, nearest(color, frequent));
  // Each row begins with its filter number: none.
  const rows = Buffer.alloc((width + 1) * height);
  for (const [at, color] of colors.entries()) {
    rows[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = indexOf.get(color) ?? 0;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8); // 8 bits for each pixel, which name a color of the table.
  const table = Buffer.from(frequent.flatMap((color) => [color >> 16, color >> 8, color]));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("PLTE", table),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function mostFrequent(colors: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  return sorted.slice(0, MAX_COLORS).map(([color]) => color);
}

/** Index of the most similar color in a palette. */
function nearest(color: number, table: readonly number[]): number {
  const distances = table.map((each) => distance(each, color));
  return distances.indexOf(Math.min(...distances));
}

function distance(one: number, other: number): number {
  const parts = [16, 8, 0].map((bits) => ((one >> bits) & 255) - ((other >> bits) & 255));
  return parts.reduce((sum, part) => sum + part * part, 0);
}

/** Runs in the browser, which decodes its own picture: red, green, blue and opacity of each pixel. */
const READ = `async (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const { width, height } = picture;
  const canvas = new OffscreenCanvas(width, height).getContext("2d");
  canvas.drawImage(picture, 0, 0);
  let binary = "";
  for (const byte of canvas.getImageData(0, 0, width, height).data) binary += String.fromCharCode(byte);
  return { width, height, pixels: btoa(binary) };
}`;

async function pixelsOf(page: Page, png: Buffer): Promise<Pixels> {
  const read: { width: number; height: number; pixels: string } = await page.evaluate(
    `(${READ})(${JSON.stringify(png.toString("base64"))})`,
  );
  return { ...read, pixels: Buffer.from(read.pixels, "base64") };
}

/** A PNG chunk: length, name, data and checksum. */
function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
