import { AwsV4Signer } from "aws4fetch";
import type { BucketAddress } from "./address.ts";
import type { Breaker } from "./breaker.ts";
import type { KeptCredentials } from "./credentials/kept-credentials.ts";
import type { Credentials } from "./credentials.ts";
import { attemptAgain, type Connections, type Exchange, type Received } from "./exchange.ts";
import { isSilence, RemoteFault } from "./remote-fault.ts";
import { xmlTexts } from "./xml-texts.ts";

const WHO = "the bucket";
/** All attempts of a request whose answer is short, in ms. The largest file goes through 1 Mbit/s in that time. */
const TIME_MS = 120_000;
const EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

export interface Payload {
  readonly size: number;
  /** In hex. */
  readonly sha256: string;
  /** Called for each attempt. */
  open(): AsyncIterable<Uint8Array>;
}

interface S3Request {
  readonly method: Exchange["method"];
  /** Of the object, without the prefix; absent for the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload?: Payload;
  /** Statuses that are an answer, beside those of success. */
  readonly answers?: readonly number[];
  /** For all attempts together. */
  readonly timeMs?: number;
  /** Ends all attempts, when it does so before their time is over. */
  readonly signal?: AbortSignal;
}

export type S3Client = ReturnType<typeof s3Client>;

/** Asks a bucket. Requests are signed, what they send included; what fails and may pass is attempted again. */
export function s3Client(
  { url, region, prefix }: BucketAddress,
  {
    credentials,
    connections,
    breaker,
  }: { credentials: KeptCredentials; connections: Connections; breaker: Breaker },
) {
  async function signed(
    { method, key, query = {}, headers = {}, payload }: S3Request,
    { accessKeyId, secretAccessKey, sessionToken }: Credentials,
  ) {
    const target = new URL(key === undefined ? `${url}/` : `${url}/${prefix}${key}`);
    for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
    const made = await new AwsV4Signer({
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== undefined && { sessionToken }),
      url: target.href,
      method,
      headers: { ...headers, "x-amz-content-sha256": payload?.sha256 ?? EMPTY_SHA256 },
      service: "s3",
      region,
    }).sign();
    return { url: made.url, headers: Object.fromEntries(made.headers) };
  }

  async function once(request: S3Request, signal: AbortSignal | undefined): Promise<Received> {
    const { method, payload, answers = [] } = request;
    const used = await credentials.current();
    const { url, headers } = await signed(request, used);
    const length = payload && { "content-length": String(payload.size) };
    const received = await connections
      .ask(WHO, {
        url,
        method,
        headers: { ...headers, ...length },
        ...(payload && { body: payload.open() }),
        ...(signal && { signal }),
      })
      .catch((error: unknown) => {
        if (isSilence(error)) breaker.note("silence");
        throw error;
      });
    const { statusCode: status, body } = received;
    if ((status >= 200 && status < 300) || answers.includes(status)) return received;
    const texts = xmlTexts(await body.text().catch(() => ""));
    const fault = { status, code: texts.get("Code")?.[0], detail: texts.get("Message")?.[0] };
    if (fault.code === "ExpiredToken") credentials.drop(used);
    throw RemoteFault.answered(WHO, fault);
  }

  return {
    /** For answers that are read to their end at once. */
    async ask(request: S3Request): Promise<{ status: number; headers: Received["headers"]; text: string }> {
      const time = AbortSignal.timeout(request.timeMs ?? TIME_MS);
      const signal = request.signal ? AbortSignal.any([request.signal, time]) : time;
      return attemptAgain(async () => {
        const { statusCode, headers, body } = await once(request, signal);
        const text = await body.text().catch((cause: unknown) => {
          throw RemoteFault.unreached(WHO, cause);
        });
        return { status: statusCode, headers, text };
      }, signal);
    },
    /** For answers that come as fast as somebody reads them. */
    stream(request: S3Request): Promise<Received> {
      return attemptAgain(() => once(request, undefined), AbortSignal.timeout(TIME_MS));
    },
  };
}
