import { crc32, deflateSync } from "node:zlib";
import type { Page } from "playwright-core";

/** Text on one ground needs no more shades than this; PNG has room for 256 colors in a table. */
const MOST_COLORS = 256;
/** Colors that differ by less look alike; by the second, nearly so. */
const STEPS = [8, 16] as const;

/**
 * A screenshot of a page as a PNG with a table of its colors: a third of what the browser writes.
 *
 * @throws {Error} when the page has too many colors for a table
 */
export async function smallScreenshot(page: Page, fullPage = true): Promise<Buffer> {
  const shot = await pixelsOf(page, await page.screenshot({ fullPage }));
  const { width, height } = shot;
  const indexed = STEPS.map((step) => indexedBy(step, shot)).find(({ table }) => table.size <= MOST_COLORS);
  if (indexed === undefined) throw new Error("The picture has too many colors for a table");
  const { table, rows } = indexed;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8); // 8 bits for each pixel, which name a color of the table.
  const colors = Buffer.from([...table.keys()].flatMap((color) => [color >> 16, color >> 8, color]));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("PLTE", colors),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Each pixel by the number of its color. */
function indexedBy(
  step: number,
  { width, height, pixels }: Pixels,
): { table: Map<number, number>; rows: Buffer } {
  const table = new Map<number, number>();
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      const color = [0, 1, 2].reduce((all, i) => all * 256 + steady(step, pixels[at + i], pixels[i]), 0);
      const index = table.get(color) ?? table.size;
      table.set(color, index);
      // Each row begins with the number of its filter: none.
      rows[y * (width + 1) + 1 + x] = index;
    }
  }
  return { table, rows };
}

/** The nearest of a few values, one of which is the ground's: the picture must not stand out from its page. */
function steady(step: number, part = 0, ground = 0): number {
  return Math.min(255, Math.max(0, ground + Math.round((part - ground) / step) * step));
}

/** Run in the browser, which reads its own picture: red, green, blue and opacity of each pixel. */
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

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity of each. */
  readonly pixels: Buffer;
}

async function pixelsOf(page: Page, png: Buffer): Promise<Pixels> {
  const read: { width: number; height: number; pixels: string } = await page.evaluate(
    `(${READ})(${JSON.stringify(png.toString("base64"))})`,
  );
  return { ...read, pixels: Buffer.from(read.pixels, "base64") };
}

/** A part of a PNG: its length, its name, its data and a checksum. */
function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
