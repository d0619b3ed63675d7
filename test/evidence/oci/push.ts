import { createHash } from "node:crypto";
import { expect } from "vitest";

/** A registry and the `user:password` it requires. Empty when it requires none. */
export interface PushTarget {
  readonly host: string;
  readonly login: string;
}

const MANIFEST = "application/vnd.oci.image.manifest.v1+json";
const INDEX = "application/vnd.oci.image.index.v1+json";
const CONFIG = "application/vnd.oci.image.config.v1+json";
const LAYER = "application/vnd.oci.image.layer.v1.tar";

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Pushes an image for one platform as `single` and an index of it as `multi`, and returns their digests. */
export async function pushImage(
  target: PushTarget,
  name: string,
): Promise<{ manifest: string; index: string }> {
  const config = await pushBlob(target, name, JSON.stringify({ architecture: "amd64", os: "linux" }));
  const layer = await pushBlob(target, name, `a layer of ${name}`);
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: { mediaType: CONFIG, ...config },
    layers: [{ mediaType: LAYER, ...layer }],
  });
  await send(target, "PUT", `/v2/${name}/manifests/single`, { type: MANIFEST, body: manifest });
  const digest = `sha256:${digestOf(manifest)}`;
  const platform = { architecture: "amd64", os: "linux" };
  const index = JSON.stringify({
    schemaVersion: 2,
    mediaType: INDEX,
    manifests: [{ mediaType: MANIFEST, digest, size: manifest.length, platform }],
  });
  await send(target, "PUT", `/v2/${name}/manifests/multi`, { type: INDEX, body: index });
  return { manifest: digestOf(manifest), index: digestOf(index) };
}

async function pushBlob(target: PushTarget, name: string, content: string) {
  const location = await send(target, "POST", `/v2/${name}/blobs/uploads/`);
  const digest = `sha256:${digestOf(content)}`;
  const upload = new URL(location, `http://${target.host}`);
  upload.searchParams.set("digest", digest);
  const path = upload.pathname + upload.search;
  await send(target, "PUT", path, { type: "application/octet-stream", body: content });
  return { digest, size: content.length };
}

/** The location that the registry returned for an upload. */
async function send(
  { host, login }: PushTarget,
  method: "POST" | "PUT",
  path: string,
  content?: { type: string; body: string },
): Promise<string> {
  const answer = await fetch(`http://${host}${path}`, {
    method,
    headers: {
      ...(login !== "" && { authorization: `Basic ${Buffer.from(login).toString("base64")}` }),
      ...(content && { "content-type": content.type }),
    },
    ...(content && { body: content.body }),
  });
  expect([201, 202], `${method} ${path}: ${await answer.text()}`).toContain(answer.status);
  return answer.headers.get("location") ?? "";
}
