import type { CachedCredentials, Credentials } from "../../../../clouds/aws/credentials.ts";
import { signed as signedRequest } from "../../../../clouds/aws/signed.ts";
import { attemptAgain, isSilence, RemoteFault } from "../../../../clouds/remote-fault.ts";
import { xmlTexts } from "../../../../clouds/xml-texts.ts";
import type { BodySource } from "../../../../net/body.ts";
import type { Client, ClientRequest } from "../../../../net/client.ts";
import { Deadline } from "../../../../net/deadline.ts";
import type { Answer, Opened } from "../../../../net/exchange.ts";
import { unavailablePlace } from "../place.ts";
import type { BucketAddress } from "./address.ts";

const SERVER = "the bucket";
const EXPIRED = "ExpiredToken";
/** For all attempts, or the headers of a long response, in ms. Fits the largest file at 1 Mbit/s. */
const TIME_MS = 120_000;

export interface Payload {
  readonly size: number;
  readonly sha256: string;
  open(): AsyncIterable<Uint8Array>;
}

interface S3Request {
  readonly method: ClientRequest["method"];
  /** The object's key without the prefix; absent for the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload?: Payload;
  /** Statuses that are returned instead of thrown, besides 2xx. */
  readonly answers?: readonly number[];
  /** Time limit of all attempts together. */
  readonly timeMs?: number;
  /** Aborts all attempts. */
  readonly signal?: AbortSignal;
}

export type S3Client = ReturnType<typeof s3Client>;

/** Sends requests to a bucket. Requests are signed with their bodies, and transient failures are retried. */
export function s3Client(
  { url, region, prefix }: BucketAddress,
  { credentials, client, breaker }: { credentials: CachedCredentials; client: Client; breaker: Breaker },
) {
  function signed({ method, key, query = {}, headers = {}, payload }: S3Request, used: Credentials) {
    const target = new URL(key === undefined ? `${url}/` : `${url}/${prefix}${key}`);
    for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
    const signing = { credentials: used, service: "s3", region, sha256: payload?.sha256 };
    return signedRequest({ operation: SERVER, method, url: target, headers }, signing);
  }

  async function once<T extends Pick<Answer, "status">>(
    request: S3Request,
    ask: (signed: ClientRequest) => Promise<T>,
    textOf: (answer: T) => Promise<string>,
  ): Promise<T> {
    const used = await credentials.current();
    const answer = await ask(signed(request, used)).catch((error: unknown) => {
      if (isSilence(error)) breaker.note("silence");
      throw error;
    });
    const { status } = answer;
    if ((status >= 200 && status < 300) || request.answers?.includes(status)) return answer;
    const texts = xmlTexts(await textOf(answer));
    const fault = { status, code: texts.get("Code")?.[0], detail: texts.get("Message")?.[0] };
    if (fault.code === EXPIRED) credentials.drop(used);
    throw RemoteFault.answered(SERVER, fault, [EXPIRED]);
  }

  return {
    async ask(request: S3Request): Promise<Answer> {
      using deadline = new Deadline((request.timeMs ?? TIME_MS) / 1000, request.signal);
      const body = request.payload && bodyOf(request.payload);
      const send = (each: ClientRequest) => client.send({ ...each, body }, deadline);
      return await attemptAgain(() => once(request, send, async ({ bytes }) => bytes.toString()), deadline);
    },
    async stream(request: S3Request): Promise<Opened> {
      using deadline = new Deadline(TIME_MS / 1000);
      return await attemptAgain(() => once(request, (each) => client.open(each), beginningOf), deadline);
    },
  };
}

function bodyOf({ size, open }: Payload): BodySource {
  return { contentType: "application/octet-stream", contentLength: size, open };
}

/** The start of an error body. A longer one, or one that is not XML, yields no texts. */
async function beginningOf({ body }: Opened): Promise<string> {
  for await (const chunk of body) return chunk.toString();
  return "";
}

export interface Breaker {
  note(outcome: "answer" | "silence"): void;
  /** Lets one upload retry after a pause. @throws Busy while the store does not respond */
  pass(): void;
}

/** @param restMs time without uploads after a request without a response */
export function openBreaker(restMs: number): Breaker {
  let silentUntil: number | undefined;
  return {
    note(outcome) {
      silentUntil = outcome === "silence" ? performance.now() + restMs : undefined;
    },
    pass() {
      if (silentUntil === undefined) return;
      const left = silentUntil - performance.now();
      if (left > 0) throw unavailablePlace(Math.ceil(left / 1000));
      // The others wait for the result of this one.
      silentUntil = performance.now() + restMs;
    },
  };
}
