import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { credentialSource } from "../../../../clouds/aws/credential-source.ts";
import { cacheCredentials } from "../../../../clouds/aws/credentials.ts";
import { instanceCredentials } from "../../../../clouds/aws/instance-credentials.ts";
import type { Environment } from "../../../../clouds/aws/variables.ts";
import { faultText, remoteClient } from "../../../../clouds/remote-fault.ts";
import { xmlTexts } from "../../../../clouds/xml-texts.ts";
import { Busy } from "../../../kernel/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import {
  type CheckpointMark,
  checkpointName,
  isSha256,
  NotStored,
  OWNER,
  type OwnerMark,
  type Place,
  requireSha256,
  SWEEP,
  type SweepMark,
  unavailablePlace,
} from "../place.ts";
import type { BucketAddress } from "./address.ts";
import { openBreaker, type Payload, type S3Client, s3Client } from "./s3-client.ts";

export interface BucketOptions {
  readonly address: BucketAddress;
  readonly environment: Environment;
  /** Timeout without any data from the store, in ms. */
  readonly silenceMs?: number;
  /** Time without requests after such a timeout, in ms. */
  readonly restMs?: number;
  readonly log?: Log;
}

const SILENCE_MS = 30_000;
const REST_MS = 10_000;
/** A file stored at most this long ago, in ms, proves that files can be stored. */
const RECENT_MS = 60_000;
/** For larger files it is worth checking first whether the store has them. */
const LARGE_BYTES = 64 * 1024;
const ROOT = "sha256/";
const CHECK_KEY = "write-check";
/** Limit for a health check, in ms, because the monitor does not wait longer. */
const CHECK_TIME_MS = 5_000;
const MAX_RESUMPTIONS = 3;

type Asking = Pick<S3Client, "ask">;

export interface NamedObjects {
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** @throws NotStored when there is no such object */
  read(key: string): AsyncIterable<Uint8Array>;
  /** Lists the keys with a prefix, in order, page by page. */
  list(start: string): AsyncIterable<readonly string[]>;
}

export function openBucket({
  address,
  environment,
  silenceMs = SILENCE_MS,
  restMs = REST_MS,
  log = () => {},
}: BucketOptions): Place & { readonly objects: NamedObjects } {
  const remote = remoteClient(silenceMs);
  const context = { environment, region: address.region, client: remote, purpose: "the bucket" };
  const source = credentialSource(context, instanceCredentials);
  const breaker = openBreaker(restMs);
  const client = s3Client(address, { credentials: cacheCredentials(source), client: remote, breaker });
  let writtenAt: number | undefined;

  async function noteWrite(write: Promise<unknown>): Promise<void> {
    try {
      await write;
      breaker.note("answer");
      writtenAt = performance.now();
    } catch (error) {
      writtenAt = undefined;
      throw error;
    }
  }

  /** Faults of the store are not the caller's and may pass. The log names them. */
  async function orBusy<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof NotStored || cause instanceof Busy) throw cause;
      log({
        level: "error",
        message: `The attachments in ${address.name} cannot be reached: ${JSON.stringify(faultText(cause))}`,
      });
      throw unavailablePlace();
    }
  }

  return {
    name: address.name,
    addressOf: (sha256) => `${address.name}/${keyOf(sha256)}`,
    put: ({ path, size, sha256 }, { rewrite = false, signal } = {}) => {
      const payload = { size, sha256, open: () => createReadStream(path) };
      const limited: Asking = {
        ask: (request) => client.ask({ ...request, ...(signal && { signal }) }),
      };
      const write = () => (rewrite ? put(limited, keyOf(sha256), payload) : putWhole(limited, payload));
      return orBusy(() => {
        breaker.pass();
        return noteWrite(write());
      });
    },
    async writtenAt(sha256) {
      const { status, headers } = await client.ask({ method: "HEAD", key: keyOf(sha256), answers: [404] });
      if (status === 404) return undefined;
      const written = Date.parse(String(headers["last-modified"]));
      if (Number.isNaN(written))
        throw new Error(`${address.name} did not send the time of an object's last write`);
      return written / 1000;
    },
    async *read(sha256) {
      requireSha256(sha256);
      yield* resumed(client, keyOf(sha256), orBusy);
    },
    glance: (file) => orBusy(() => glanceAt(client, file)),
    async remove(sha256) {
      await client.ask({ method: "DELETE", key: keyOf(sha256), answers: [404] });
    },
    async *list() {
      for await (const keys of listed(client, address.prefix, ROOT)) {
        yield keys.map((key) => key.slice(ROOT.length).replace("/", "")).filter(isSha256);
      }
    },
    objects: {
      put: (key, bytes) => orBusy(() => put(client, key, payloadOf(bytes))),
      read: (key) => resumed(client, key, orBusy),
      list: (start) => listed(client, address.prefix, start),
    },
    async checkWritable() {
      if (writtenAt !== undefined && performance.now() - writtenAt < RECENT_MS) return;
      await noteWrite(put(client, CHECK_KEY, textPayload("x"), CHECK_TIME_MS));
    },
    owner: ownerObject(client),
    sweeps: sweepObject(client),
    checkpoints: checkpointObjects(client),
    close: () => remote.close(),
  };
}

function keyOf(sha256: string): string {
  return `${ROOT}${sha256.slice(0, 2)}/${sha256.slice(2)}`;
}

async function put(client: Asking, key: string, payload: Payload, timeMs?: number): Promise<void> {
  await client.ask({ method: "PUT", key, payload, headers: checksum(payload), ...(timeMs && { timeMs }) });
}

/** Stores an attachment at its key. An altered one is written again, as in a folder. */
async function putWhole(client: Asking, payload: Payload): Promise<void> {
  const key = keyOf(payload.sha256);
  const found = payload.size > LARGE_BYTES ? await glanceAt(client, payload) : "missing";
  if (found === "whole") return;
  if (found === "missing" && (await putOnce(client, key, payload)) === "written") return;
  // If a store has no checksums, reading the object would cost as much as writing it.
  const isUnknown = found === undefined || (await glanceAt(client, payload)) !== "whole";
  if (isUnknown) await put(client, key, payload);
}

/** Writes an object only if there is none. A store that ignores the condition overwrites it. */
async function putOnce(client: Asking, key: string, payload: Payload): Promise<"written" | "there"> {
  const headers = { "if-none-match": "*", ...checksum(payload) };
  try {
    const { status } = await client.ask({ method: "PUT", key, payload, headers, answers: [412] });
    return status === 412 ? "there" : "written";
  } catch (error) {
    // A store may send 412 and close while the body is still being sent, so only a broken connection shows.
    if (await isThere(client, key).catch(() => false)) return "there";
    throw error;
  }
}

async function isThere(client: Asking, key: string): Promise<boolean> {
  return (await client.ask({ method: "HEAD", key, answers: [404] })).status === 200;
}

function checksum({ sha256 }: Payload): Record<string, string> {
  return { "content-type": "application/octet-stream", "x-amz-checksum-sha256": asBase64(sha256) };
}

function asBase64(sha256: string): string {
  return Buffer.from(sha256, "hex").toString("base64");
}

function textPayload(text: string): Payload {
  return payloadOf(Buffer.from(text));
}

function payloadOf(bytes: Uint8Array): Payload {
  return {
    size: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    async *open() {
      yield bytes;
    },
  };
}

/** A store with checksums has verified what it received, so the object is usually not read. */
async function glanceAt(
  client: Asking,
  { sha256, size }: Pick<Payload, "sha256" | "size">,
): Promise<"whole" | "changed" | "missing" | undefined> {
  const { status, headers } = await client.ask({
    method: "HEAD",
    key: keyOf(sha256),
    headers: { "x-amz-checksum-mode": "ENABLED" },
    answers: [404],
  });
  if (status === 404) return "missing";
  const length = headers["content-length"];
  if (length !== undefined && Number(length) !== size) return "changed";
  return headers["x-amz-checksum-sha256"] === asBase64(sha256) ? "whole" : undefined;
}

async function* resumed(
  client: S3Client,
  key: string,
  orBusy: <T>(work: () => Promise<T>) => Promise<T>,
): AsyncGenerator<Uint8Array> {
  let read = 0;
  for (let broken = 0; ; broken++) {
    const headers: Record<string, string> = read > 0 ? { range: `bytes=${read}-` } : {};
    const { status, body, cancel } = await orBusy(() =>
      client.stream({ method: "GET", key, headers, answers: [404, 416] }),
    );
    if (status === 404) {
      cancel();
      throw new NotStored(`${key} was not found`);
    }
    // It was read completely when the connection broke, or the store ignores ranges and would start over.
    if (read > 0 && status !== 206) {
      cancel();
      if (status === 416) return;
      throw new Error(`The store interrupted the download of ${key} and cannot resume it`);
    }
    try {
      for await (const chunk of body) {
        read += chunk.length;
        yield chunk;
      }
      return;
    } catch (error) {
      if (broken === MAX_RESUMPTIONS) throw error;
    }
  }
}

async function* listed(client: S3Client, prefix: string, start: string): AsyncGenerator<string[]> {
  let token: string | undefined;
  do {
    const { bytes } = await client.ask({
      method: "GET",
      query: {
        "list-type": "2",
        prefix: prefix + start,
        ...(token !== undefined && { "continuation-token": token }),
      },
    });
    const texts = xmlTexts(bytes.toString());
    yield (texts.get("Key") ?? []).map((key) => key.slice(prefix.length));
    token = texts.get("NextContinuationToken")?.[0];
  } while (token !== undefined);
}

function ownerObject(client: S3Client): OwnerMark {
  async function read() {
    const { status, bytes } = await client.ask({ method: "GET", key: OWNER.name, answers: [404] });
    return status === 404 ? undefined : OWNER.parse(bytes.toString());
  }
  return {
    read,
    async take(owner) {
      await putOnce(client, OWNER.name, textPayload(OWNER.text(owner)));
      return (await read()) ?? owner;
    },
    replace: (owner) => put(client, OWNER.name, textPayload(OWNER.text(owner))),
  };
}

function checkpointObjects(client: S3Client): CheckpointMark {
  return {
    async read(orgId) {
      const key = checkpointName(orgId);
      const { status, bytes } = await client.ask({ method: "GET", key, answers: [404] });
      return status === 404 ? undefined : bytes.toString();
    },
    replace: (orgId, checkpoint) => put(client, checkpointName(orgId), textPayload(checkpoint)),
  };
}

function sweepObject(client: S3Client): SweepMark {
  async function readTagged() {
    const { status, headers, bytes } = await client.ask({ method: "GET", key: SWEEP.name, answers: [404] });
    return status === 404 ? undefined : { state: SWEEP.parse(bytes.toString()), tag: String(headers.etag) };
  }
  return {
    read: async () => (await readTagged())?.state,
    async move(from, to) {
      const found = await readTagged();
      if (found?.state.generation !== from?.generation || found?.state.contested) return false;
      const [key, payload] = [SWEEP.name, textPayload(SWEEP.text(to))];
      if (found === undefined) return (await putOnce(client, key, payload)) === "written";
      const headers = { "if-match": found.tag, ...checksum(payload) };
      const answers = [404, 409, 412];
      const { status } = await client.ask({ method: "PUT", key, payload, headers, answers });
      return status < 300;
    },
    replace: (state) => put(client, SWEEP.name, textPayload(SWEEP.text(state))),
  };
}
