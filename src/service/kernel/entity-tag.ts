import { hash } from "node:crypto";

/** The ETag of a content. It is weak, because proxies compress the body. */
export function entityTag(content: string | Uint8Array): string {
  return `W/"${hash("sha256", content, "base64url").slice(0, 22)}"`;
}

/** Whether an `If-None-Match` names the ETag. */
export function isNamed(etag: string, ifNoneMatch: string | undefined): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  return (ifNoneMatch ?? "").split(",").some((tag) => opaque(tag) === opaque(etag));
}
