import { gzipSync } from "node:zlib";
import type { FileAnswer } from "../../api/files.ts";
import type { Answer } from "../http/error-answer.ts";
import { entityTag, isNamed } from "../kernel/entity-tag.ts";
import type { Raw } from "./page.ts";

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

export function safetyHeaders(publicUrl: string): Record<string, string> {
  return {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ...(publicUrl.startsWith("https:") ? { "strict-transport-security": "max-age=31536000" } : {}),
  };
}

export interface TextOptions {
  readonly status: number;
  readonly mediaType: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The `If-None-Match` and the `Accept-Encoding` of the request. */
  readonly ifNoneMatch: string | undefined;
  readonly acceptEncoding: string | undefined;
  readonly isFinal: boolean;
  readonly isSecret: boolean;
}

/** Minimum length for compression. */
const WORTH_COMPRESSING = 1_024;

/** The next levels take twice as long, for a twelfth less. */
const GZIP_LEVEL = 3;

/** A text response that browsers revalidate by its ETag. */
export function textAnswer(text: string, options: TextOptions): Answer {
  const { status, mediaType, isSecret, isFinal } = options;
  const headers: Record<string, string> = {
    ...options.headers,
    "content-type": mediaType,
    vary: "accept-encoding, cookie",
    "cache-control": cacheControl({ isSecret, isFinal }),
  };
  if (isSecret || status !== 200) return { status, headers, body: text };
  // Encoded once, for the hash and for the socket.
  const body = Buffer.from(text);
  const etag = entityTag(body);
  headers["etag"] = etag;
  if (isNamed(etag, options.ifNoneMatch)) return { status: 304, headers, body: "" };
  const compresses = text.length >= WORTH_COMPRESSING && takesGzip(options.acceptEncoding);
  if (!compresses) return { status, headers, body };
  headers["content-encoding"] = "gzip";
  return { status, headers, body: new Uint8Array(gzipSync(body, { level: GZIP_LEVEL })) };
}

function cacheControl({ isSecret, isFinal }: Pick<TextOptions, "isSecret" | "isFinal">): string {
  if (isSecret) return "no-store";
  return isFinal ? "private, max-age=31536000, immutable" : "private, no-cache";
}

export function takesGzip(acceptEncoding: string | undefined): boolean {
  return /(^|,)\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*(,|$))|,|$)/i.test(acceptEncoding ?? "");
}

/** A file or an image, sandboxed so that scripts in it never run. */
export function rawAnswer({ raw: { mediaType, body, headers = {} } }: Raw): Answer {
  return {
    status: 200,
    headers: {
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-cache",
      ...headers,
      "content-type": mediaType,
    },
    body,
  };
}

/** A file that browsers save and never show, so that scripts in it cannot run. */
export function download({ name, content }: FileAnswer): Raw {
  return {
    raw: {
      mediaType: "application/octet-stream",
      // Handlers return bytes or a stream.
      body: content as Raw["raw"]["body"],
      headers: { "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name)}` },
    },
  };
}
