import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/*
 * Checks signatures by Amazon's specification of "Signature Version 4", independent of any code that creates them.
 */

export interface Keys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

export interface SignedRequest {
  method: string;
  /** Unparsed path and query. */
  target: string;
  headers: IncomingHttpHeaders;
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=(?<key>[^/]+)\/(?<date>\d{8})\/(?<region>[^/]+)\/(?<service>[^/]+)\/aws4_request, ?SignedHeaders=(?<names>[a-z0-9;-]+), ?Signature=(?<signature>[0-9a-f]{64})$/;
const MOST_SKEW_MS = 15 * 60 * 1000;

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const encoded = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** @returns the error code of the store for a wrong signature; undefined if it is right */
export function signatureFault(
  { method, target, headers }: SignedRequest,
  known: readonly Keys[],
  region: string,
  service = "s3",
): string | undefined {
  const parts = AUTHORIZATION.exec(headers.authorization ?? "")?.groups;
  if (!parts) return "AccessDenied";
  const { key, date = "", names = "", signature = "" } = parts;
  const keys = known.find(({ accessKeyId }) => accessKeyId === key);
  if (!keys) return "InvalidAccessKeyId";
  if (parts["region"] !== region || parts["service"] !== service) return "AuthorizationHeaderMalformed";
  if (headers["x-amz-security-token"] !== keys.sessionToken) return "InvalidToken";
  const time = String(headers["x-amz-date"]);
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time) ?? [];
  const sentAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (!(Math.abs(Date.now() - sentAt) < MOST_SKEW_MS) || !time.startsWith(date))
    return "RequestTimeTooSkewed";
  const signed = names.split(";");
  const mustBeSigned = Object.keys(headers).filter((name) => name === "host" || name.startsWith("x-amz-"));
  if (mustBeSigned.some((name) => !signed.includes(name))) return "AccessDenied";
  const url = new URL(target, "http://store");
  const canonical = [
    method,
    url.pathname
      .split("/")
      .map((segment) => encoded(decodeURIComponent(segment)))
      .join("/"),
    [...url.searchParams]
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .sort()
      .join("&"),
    ...signed.map(
      (name) =>
        `${name}:${String(headers[name] ?? "")
          .trim()
          .replace(/ +/g, " ")}`,
    ),
    "",
    names,
    headers["x-amz-content-sha256"],
  ].join("\n");
  const scope = `${date}/${region}/${service}/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  const day0 = hmac(`AWS4${keys.secretAccessKey}`, date);
  const signing = hmac(hmac(hmac(day0, region), service), "aws4_request");
  const expected = hmac(signing, toSign);
  return timingSafeEqual(expected, Buffer.from(signature, "hex")) ? undefined : "SignatureDoesNotMatch";
}
