import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { gzipSync } from "node:zlib";

export interface Asset {
  readonly name: string;
  readonly servedAs: string;
  readonly mediaType: string;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Pattern of the names of all versions of a file, current and former. */
export function versionsOf(name: string): string {
  const ending = extname(name);
  return `${name.slice(0, -ending.length)}\\.[0-9a-f]+\\${ending}`;
}

export function readAssets(names: readonly string[]): readonly Asset[] {
  return names.map((name) => {
    const content = new Uint8Array(readFileSync(new URL(`assets/${name}`, import.meta.url)));
    const ending = extname(name);
    const version = createHash("sha256").update(content).digest("hex").slice(0, 16);
    return {
      name,
      servedAs: `${name.slice(0, -ending.length)}.${version}${ending}`,
      mediaType: MEDIA_TYPES[ending] ?? "application/octet-stream",
      content,
      gzip: new Uint8Array(gzipSync(content, { level: 9 })),
    };
  });
}
