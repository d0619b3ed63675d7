import { amazonDomain, type Environment, endpointOf, regionOf } from "../../../../clouds/aws/variables.ts";
import { isLoopback } from "../../../../net/proxy.ts";

export interface BucketAddress {
  /** As users write it: `s3://bucket/prefix`. */
  readonly name: string;
  readonly region: string;
  /** The bucket's own URL, without a slash at the end. */
  readonly url: string;
  /** Prefix of each key: `prefix/`, or empty. */
  readonly prefix: string;
}

const WRITTEN =
  /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?<prefix>(?:\/(?!\.\.?(?:\/|$))[\w.=-]+)*)\/?$/;
/** The default region of self-hosted stores. */
const ANY_REGION = "us-east-1";

/** Parses `s3://bucket/prefix`. @param allowHttp allows a store on another machine without TLS */
export function bucketAddress(text: string, environment: Environment, allowHttp: boolean): BucketAddress {
  const { bucket, prefix = "" } = WRITTEN.exec(text)?.groups ?? {};
  if (bucket === undefined) {
    throw new Error(
      `'${text}' is not a valid bucket: use s3://name/prefix, with letters, digits and _ . = - only`,
    );
  }
  const endpoint = endpointOf(environment, "S3");
  const region = regionOf(environment);
  const at = { name: `s3://${bucket}${prefix}`, prefix: prefix === "" ? "" : `${prefix.slice(1)}/` };
  if (endpoint !== undefined) {
    return { ...at, region: region ?? ANY_REGION, url: `${endpointUrl(endpoint, allowHttp)}/${bucket}` };
  }
  if (region === undefined) {
    throw new Error(
      `Set AWS_REGION to the region of the bucket '${bucket}'. For a store other than Amazon S3, set ` +
        "AWS_ENDPOINT_URL_S3 to the address of the store",
    );
  }
  const host = `s3.${region}.${amazonDomain(region)}`;
  // Amazon's certificate does not cover bucket names that contain dots.
  const url = bucket.includes(".") ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
  return { ...at, region, url };
}

function endpointUrl(text: string, allowHttp: boolean): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Error(`The endpoint of the bucket, '${text}', is not a URL such as https://store.example.org`);
  }
  if (url.protocol === "http:" && !allowHttp && !isLoopback(url.hostname)) {
    throw new Error(
      `The endpoint of the bucket, ${url.origin}, does not use TLS: use https://, or allow it with --allow-http`,
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}
