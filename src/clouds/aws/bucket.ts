import { InputError } from "../../api/client/errors.ts";
import type { Answer } from "../../net/exchange.ts";
import { headerOf } from "../../net/headers.ts";
import { strangeAnswer, unixSeconds } from "../answers.ts";
import { pagesOf } from "../pages.ts";
import { refusedAnswer } from "../refused-answer.ts";
import { xmlTexts } from "../xml-texts.ts";
import type { Aws, AwsRequest } from "./aws.ts";
import { encodedPart } from "./encoded-part.ts";
import { amazonDomain } from "./variables.ts";

export interface BucketObject {
  readonly key: string;
  /** With its quotes. */
  readonly etag: string;
  /** In Unix seconds. */
  readonly modifiedAt: number;
}

/** It is part of a host name, which gets the credentials. */
const NAME = /^[a-z0-9][\w.-]*$/i;

/** Requests to one bucket, in whichever region it is. */
export class Bucket {
  readonly #aws: Aws;
  readonly #name: string;
  /** As learned from the first answer. */
  #region: string;

  /** @throws InputError for a name that no bucket has */
  constructor(aws: Aws, name: string) {
    if (!NAME.test(name))
      throw new InputError([{ input: "bucket", problem: `'${name}' is not the name of a bucket` }]);
    this.#aws = aws;
    this.#name = name;
    this.#region = aws.region;
  }

  /** Objects whose keys have a prefix. Markers of directories, whose keys end with a slash, are left out. */
  async list(prefix: string): Promise<BucketObject[]> {
    const objects: BucketObject[] = [];
    const fixed = `list-type=2&max-keys=1000&encoding-type=url${prefix && `&prefix=${encodedPart(prefix)}`}`;
    for await (const page of pagesOf(async (token) => {
      const query = `?${fixed}${token && `&continuation-token=${encodedPart(token)}`}`;
      return pageOf(await this.#located({ right: "s3:ListBucket", path: query, advice: "Check bucket." }));
    }))
      objects.push(...page.objects);
    return objects;
  }

  /** Reads an object as it was when it was listed. @throws InputError if it has changed or is gone, or has no address */
  async read({ key, etag }: BucketObject, receive: () => (chunk: Buffer) => void): Promise<void> {
    const segments = key.split("/");
    if (segments.includes(".")) {
      const problem = `'${key}' contains '.' between its slashes, which an address cannot`;
      throw new InputError([{ input: "bucket", problem }], { advice: "Leave it out with exclude." });
    }
    const path = segments.map(encodedPart).join("/");
    const headers = { "if-match": etag };
    const answer = await this.#ask({
      ...{ right: `s3:GetObject for '${key}'`, path, headers, receive },
      advice: `Check '${key}', or leave it out with exclude.`,
      answers: [404, 412],
    });
    if (answer.status < 300) return;
    const { status, code = "" } = refusedAnswer(answer);
    const problem =
      `'${key}' changed while the bucket was read: Amazon s3 answered ${status} ${code}`.trimEnd();
    throw new InputError([{ input: "bucket", code: "cloud.refused", problem }], {
      advice: "Nothing was reported. Run again when the upload to the bucket has ended.",
    });
  }

  /** Asks the region that the bucket is in, if the first one answers that it is another. */
  async #located(request: Pick<AwsRequest, "right" | "path" | "advice">): Promise<Answer> {
    const answer = await this.#ask({ ...request, answers: [301, 307, 400] });
    if (answer.status === 200) return answer;
    const region =
      headerOf(answer, "x-amz-bucket-region") ?? xmlTexts(answer.bytes.toString()).get("Region")?.[0];
    if (region !== undefined && region !== this.#region) this.#region = region;
    return this.#ask(request);
  }

  #ask({ path = "", ...request }: Omit<AwsRequest, "service">): Promise<Answer> {
    const region = this.#region;
    const endpoint = this.#aws.endpointOf("S3");
    const host = `s3.${region}.${amazonDomain(region)}`;
    // The certificate of Amazon is not valid for a name with dots.
    const isPath = endpoint !== undefined || this.#name.includes(".");
    const origin = isPath ? (endpoint ?? `https://${host}`) : `https://${this.#name}.${host}`;
    const whole = isPath ? `/${this.#name}/${path}` : `/${path}`;
    return this.#aws.ask({ ...request, service: "s3", input: "bucket", region, origin, path: whole });
  }
}

function pageOf({ bytes }: Answer) {
  const texts = xmlTexts(bytes.toString());
  const all = (name: string) => texts.get(name) ?? [];
  const [keys, etags, times] = [all("Key"), all("ETag"), all("LastModified")];
  if (!texts.has("IsTruncated") || etags.length !== keys.length || times.length !== keys.length)
    throw strangeAnswer("Amazon s3 returned no list of objects");
  const objects = keys.map((key, index) => ({
    key: decoded(key),
    etag: etags[index] ?? "",
    modifiedAt: unixSeconds(times[index] ?? ""),
  }));
  const next = all("IsTruncated")[0] === "true" ? (all("NextContinuationToken")[0] ?? "") : "";
  return { objects: objects.filter(({ key }) => !key.endsWith("/")), next };
}

/** @throws ProtocolError if it is not encoded as requested */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll("+", " "));
  } catch (cause) {
    throw strangeAnswer(`Amazon s3 listed a key that is not encoded: '${key}'`, cause);
  }
}
