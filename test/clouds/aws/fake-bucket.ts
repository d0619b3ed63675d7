import { hash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { fingerprintDirectory } from "../../../src/evidence/directory-fingerprint.ts";
import type { FakeAnswer, FakeRequest } from "./fake-aws.ts";

const AT = "2026-01-02T03:04:05.000Z";
/** In Unix seconds. */
export const NEWEST = Date.parse(AT) / 1000;

export type Content = Readonly<Record<string, string>>;

/** A bucket, by any name, in pages of `size` keys, as Amazon lists it. */
export function bucketOf(content: Content, { size = 1000, region = "eu-central-1" } = {}) {
  const etag = (text: string) => `"${hash("md5", text)}"`;
  const url = (key: string) => encodeURIComponent(key).replaceAll("%2F", "/").replaceAll("%20", "+");
  return (request: FakeRequest): FakeAnswer => {
    if (request.region !== region) {
      const body = `<Error><Code>AuthorizationHeaderMalformed</Code><Region>${region}</Region></Error>`;
      return { status: 400, body };
    }
    const { pathname, searchParams } = new URL(request.path, "http://s3");
    const key = decodeURIComponent(pathname).replace(/^\/[^/]+\//, "");
    if (key !== "") {
      const text = content[key] ?? "";
      return request.headers["if-match"] === etag(text)
        ? { body: text }
        : { status: 412, body: "<Error><Code>PreconditionFailed</Code></Error>" };
    }
    const all = Object.keys(content)
      .filter((each) => each.startsWith(searchParams.get("prefix") ?? ""))
      .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const from = Number(searchParams.get("continuation-token") ?? 0);
    const more = from + size < all.length;
    const contents = all
      .slice(from, from + size)
      .map((each) => {
        const quoted = etag(content[each] ?? "").replaceAll('"', "&quot;");
        return `<Contents><Key>${url(each)}</Key><LastModified>${AT}</LastModified><ETag>${quoted}</ETag><Size>1</Size></Contents>`;
      })
      .join("");
    const next = more ? `<NextContinuationToken>${from + size}</NextContinuationToken>` : "";
    return {
      body: `<?xml version="1.0"?><ListBucketResult><Name>site</Name><IsTruncated>${more}</IsTruncated>${contents}${next}</ListBucketResult>`,
    };
  };
}

/** The fingerprint of the same files on a disk. */
export async function onDisk(content: Content): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "objects-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [path, text] of Object.entries(content)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return fingerprintDirectory(folder);
}
