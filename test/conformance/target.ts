import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Agent, FormData, request } from "undici";
import { afterAll, expect } from "vitest";
import { EvidenceClient } from "../../src/api/client/client.ts";
import type { OperationShape } from "../../src/api/operation.ts";
import { type OperationName, operations } from "../../src/api/resources/operations.ts";
import { readSealingKey } from "../../src/service/delivery/outgoing/sealed.ts";
import { type ServiceOptions, startService } from "../../src/service/service.ts";
import { knownIssuer } from "../identity/known-issuer.ts";
import { unreachableProvider } from "../identity/login-provider.ts";
import { recordsOfTest } from "../records.ts";
import { type OpenedPages, openPages } from "./opened-pages.ts";
import { operationsOf } from "./resources.ts";

/** Address of a service, with the credentials of an administrator. */
interface Address {
  readonly baseUrl: string;
  readonly org: string;
  readonly apiKey: string;
}

/** A file part, by its text. */
type WireFiles = Readonly<
  Record<string, { readonly name: string; readonly text: string | Uint8Array<ArrayBuffer> }>
>;

/** A request in the names of the API, with any errors that a client would not send. */
export interface WireRequest {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  /** The JSON body, or the JSON part of a form; a string is sent unchanged. */
  readonly body?: unknown;
  readonly files?: WireFiles;
  /** Replaces the administrator's key; null sends none. */
  readonly key?: string | null;
  readonly org?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface WireReply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The unparsed body. */
  readonly text: string;
}

/** The service under test. */
export interface Target extends Address {
  readonly client: EvidenceClient;
  /** Calls an operation without the checks of the client. */
  readonly ask: (operation: OperationName, request?: WireRequest) => Promise<WireReply>;
  /** A client with another key to the same service. */
  readonly clientFor: (apiKey: string) => EvidenceClient;
  /** Sends any request: `path` is below the host. */
  readonly sendRaw: (
    method: string,
    path: string,
    headers?: Readonly<Record<string, string>>,
    body?: string,
  ) => Promise<WireReply>;
}

/**
 * The service that `CONFORMANCE_BASE_URL`, `CONFORMANCE_ORG` and `CONFORMANCE_API_KEY` (an administrator's) name,
 * else an embedded one for this file. In a file that is named after a resource, every operation of the resource must
 * have succeeded through the client before it ends.
 */
export async function conformance(
  more: Pick<ServiceOptions, "loginProviders" | "opa"> = {},
): Promise<Target> {
  const resource = basename(expect.getState().testPath ?? "", ".test.ts");
  const succeeded = new Set<string>();
  // Registered first, and so run last: its failures must not prevent any cleanup.
  afterAll(async () => {
    const declared = await operationsOf(resource);
    expect(
      declared.filter((name) => !succeeded.has(name)),
      "operations that never succeeded through the client",
    ).toEqual([]);
  });
  const given = addressGiven();
  const address = given ?? (await startEmbedded(more));
  const dispatcher = new Agent();
  const pages = given === undefined ? await openPages(address) : undefined;
  const clients: EvidenceClient[] = [];
  const clientFor = (apiKey: string) => {
    const client = new EvidenceClient({ ...address, apiKey, retries: 0, allowHttp: true });
    clients.push(client);
    return client;
  };
  afterAll(async () => {
    for (const client of clients) await client.close();
    await dispatcher.destroy();
  });
  const host = address.baseUrl.replace(/\/api\/v2\/?$/, "");
  const send = (method: string, path: string, message: Message) =>
    read(request(`${host}${path}`, { method, dispatcher, ...message })).then(async (reply) => {
      await pages?.openAll(reply.body);
      return reply;
    });
  return {
    ...address,
    clientFor,
    client: recording(clientFor(address.apiKey), succeeded, pages),
    ask: (name, wire = {}) => {
      const { path, body } = written(operations[name], wire, address.org);
      const key = wire.key === undefined ? address.apiKey : wire.key;
      return send(operations[name].method, `/api/v2${path}`, {
        headers: {
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
          ...(typeof body === "string" ? { "content-type": "application/json" } : {}),
          ...wire.headers,
        },
        ...(body === undefined ? {} : { body }),
      });
    },
    sendRaw: (method, path, headers = { authorization: `Bearer ${address.apiKey}` }, body = undefined) =>
      send(method, path, { headers: { ...headers }, ...(body !== undefined && { body }) }),
  };
}

interface Message {
  readonly headers: Record<string, string>;
  readonly body?: string | FormData;
}

function addressGiven(): Address | undefined {
  const { CONFORMANCE_BASE_URL: baseUrl, CONFORMANCE_ORG: org, CONFORMANCE_API_KEY: apiKey } = process.env;
  if (baseUrl === undefined) return undefined;
  if (!org || !apiKey) throw new Error("CONFORMANCE_BASE_URL needs CONFORMANCE_ORG and CONFORMANCE_API_KEY");
  return { baseUrl, org, apiKey };
}

async function startEmbedded(more: Pick<ServiceOptions, "loginProviders" | "opa">): Promise<Address> {
  const dataFolder = await mkdtemp(join(tmpdir(), "conformance-"));
  const org = "conformance";
  const secretKey = readSealingKey("0".repeat(64), "the key of the tests");
  const outgoing = { allowTargets: ["127.0.0.1"], githubHosts: ["127.0.0.1:65535"] };
  const options = {
    ...{ dataFolder, secretKey, outgoing, host: "127.0.0.1", port: 0, org },
    ...{ version: "0.0.0", log: () => {}, issuers: [knownIssuer().options] },
    loginProviders: [unreachableProvider()],
  };
  const service = await startService({ ...options, ...more, ...(await recordsOfTest()) });
  afterAll(async () => {
    await service.close();
    await rm(dataFolder, { recursive: true });
  });
  return { baseUrl: service.address, org, apiKey: service.firstKey ?? "" };
}

/** Records the operations that succeeded, and opens the pages that they name. */
function recording(
  client: EvidenceClient,
  succeeded: Set<string>,
  pages: OpenedPages | undefined,
): EvidenceClient {
  return new Proxy(client, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name, target);
      if (typeof method !== "function") return method;
      return async (...args: unknown[]) => {
        const reply: unknown = await Reflect.apply(method, target, args);
        succeeded.add(String(name));
        await pages?.openAll(reply);
        return reply;
      };
    },
  });
}

function written(operation: OperationShape, { params = {}, query = {}, ...wire }: WireRequest, org: string) {
  const all: Readonly<Record<string, string | number>> = { org: wire.org ?? org, ...params };
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = all[name];
    if (value === undefined) throw new Error(`${operation.name} needs ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value].flat()) search.append(name, String(item));
  }
  const target = search.size === 0 ? path : `${path}?${search}`;
  return { path: target, body: operation.body && bodyOf(operation.body, wire) };
}

function bodyOf(rule: NonNullable<OperationShape["body"]>, { body = {}, files = {} }: WireRequest) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  if (rule.kind === "json") return text;
  const form = new FormData();
  form.append(rule.part, text);
  for (const [part, { name, text }] of Object.entries(files)) form.append(part, new Blob([text]), name);
  return form;
}

async function read(answered: ReturnType<typeof request>): Promise<WireReply> {
  const { statusCode: status, headers, body } = await answered;
  const text = await body.text();
  const isJson = status !== 304 && String(headers["content-type"]).includes("json");
  return { status, headers, text, body: isJson ? JSON.parse(text) : text };
}
