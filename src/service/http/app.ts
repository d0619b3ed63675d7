import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import type { OperationShape } from "../../api/operation.ts";
import { isPublic, type OperationName, operations } from "../../api/resources/operations.ts";
import type { Caller } from "../kernel/caller.ts";
import { NotFound, Refusal } from "../kernel/errors.ts";
import type { RequestSummary } from "../kernel/log.ts";
import { validate } from "../kernel/validate.ts";
import type { Metrics } from "../ops/metrics.ts";
import type { Logins } from "../people/sign-in/logins.ts";
import { ADMISSION_PATH, serveAdmission } from "./admission.ts";
import type { ClientAddresses } from "./client-address.ts";
import { type Answer, errorAnswer, errorBody, HttpError, headersOf } from "./error-answer.ts";
import { makeHealth, type Watched } from "./health.ts";
import { KEYS_PATH, serveKeys } from "./keys.ts";
import { isDirectAndLocal, metricsAnswer } from "./metrics-answer.ts";
import { isForPeople, type PageHost } from "./page-host.ts";
import { ignoredParameters, readPath } from "./query.ts";
import { makeReference } from "./reference.ts";
import {
  clientRequestIdOf,
  hasDotSegments,
  loggedPath,
  requestIdOf,
  shownRequestIdOf,
  targetOf,
} from "./request-head.ts";
import { SCIM_PATH, scimErrorAnswer, serveScim } from "./scim.ts";
import { type Served, serveOperation, servePublic } from "./serve-operation.ts";
import { sentStream } from "./streamed-json.ts";
import { type Tracer, traceRequest } from "./trace-request.ts";
import { webhookPaths } from "./webhooks.ts";

const BASE_PATH = "/api/v2";
/** Clients of the interface use both. */
const BASE_PATHS = [BASE_PATH, "/api/fastapi"];

interface AppOptions extends Served {
  watched: Watched;
  /** Metrics to serve on this port to the same machine, if allowed. */
  metrics?: Metrics | undefined;
  record: (request: RequestSummary) => void;
  proxies: ClientAddresses;
  logins: Logins;
  pages?: PageHost;
  /** Without one, no request is traced. */
  tracer?: Tracer | undefined;
}

type RequestContext = Context<{ Bindings: HttpBindings }>;
type Serve = (c: RequestContext, identified: (caller: Caller) => void) => Promise<Answer>;
interface RouteOptions {
  ownHeaders: (c: RequestContext) => Readonly<Record<string, string>>;
  failed: (c: RequestContext, error: unknown) => Answer | Promise<Answer>;
}

const failAsJson: RouteOptions["failed"] = (c, error) => errorAnswer(error, requestIdOf(c.env.incoming));

const failAsScim: RouteOptions["failed"] = (c, error) => scimErrorAnswer(error, requestIdOf(c.env.incoming));

export function makeApp({
  watched,
  metrics,
  record,
  proxies,
  logins,
  pages,
  tracer,
  ...served
}: AppOptions): Hono<{ Bindings: HttpBindings }> {
  // The router that hono finally uses for these paths, after it has failed with a faster one.
  const app = new Hono<{ Bindings: HttpBindings }>({ router: new TrieRouter() });
  const route =
    (
      serve: Serve,
      operation?: string,
      { ownHeaders = () => ({}), failed = failAsJson }: Partial<RouteOptions> = {},
    ) =>
    (c: RequestContext) => {
      const answering = (noted: typeof record) =>
        answerRequest(c, serve, { operation, record: noted, proxies, ownHeaders, failed });
      if (tracer === undefined) return answering(record);
      return traceRequest(tracer, { operation, headers: c.env.incoming.headers }, (noted) =>
        answering((summary) => {
          noted(summary);
          record(summary);
        }),
      );
    };
  const failAsPage: RouteOptions["failed"] = (c, error) =>
    pages !== undefined && isForPeople(c.env.incoming)
      ? pages.failed(error, { ...routed(c, proxies), identified() {} })
      : failAsJson(c, error);

  app.use((c, next) => (hasDotSegments(targetOf(c.env.incoming)) ? route(refusePath)(c) : next()));
  const refuseOthers = (path: string, allow: string) => {
    const refuse = route((c) => refuseMethod(c, allow));
    app.all(path, refuse);
  };
  const get = (path: string, serve: Serve, operation: string) => {
    app.get(path, route(serve, operation));
    refuseOthers(path, "GET, HEAD");
  };
  const { ready, health } = makeHealth(served.context, watched);
  get("/ready", ready, "ready");
  get("/health", health, "health");
  const keys: Serve = (c) => serveKeys(c.env.incoming, served);
  get(KEYS_PATH, keys, "keys");
  if (metrics) {
    const serveMetrics: Serve = (c) =>
      isDirectAndLocal(c.env.incoming) ? metricsAnswer(metrics) : refusePath(c);
    get("/metrics", serveMetrics, "metrics");
  }
  for (const [path, answer] of Object.entries(makeReference())) {
    get(BASE_PATH + path, (c) => answer(c.req.param()), "reference");
  }
  for (const base of BASE_PATHS) {
    const post = (path: string, serve: Serve, operation: string) => {
      app.post(base + path, route(serve, operation));
      refuseOthers(base + path, "POST");
    };
    for (const { path, serve } of webhookPaths(served))
      post(path, (c) => serve(routed(c, proxies)), "webhook");
    const review: Serve = (c, identified) => serveAdmission({ ...routed(c, proxies), identified }, served);
    post(ADMISSION_PATH, review, "reviewAdmission");
  }
  app.all(
    SCIM_PATH,
    route((c) => serveScim(routed(c, proxies), { ...served, logins }), "scim", { failed: failAsScim }),
  );
  const paths = servedPaths();
  for (const { pattern, methods, allow, refusesOthers } of paths) {
    for (const [method, name] of methods) {
      const { query }: OperationShape = operations[name];
      const serve: Serve = (c, identified) => {
        const request = { ...routed(c, proxies), identified };
        return isPublic(name) ? servePublic(name, request, served) : serveOperation(name, request, served);
      };
      const ownHeaders = (c: RequestContext) => ignoredParameters(query, targetOf(c.env.incoming));
      app.on(method, pattern, route(serve, name, { ownHeaders }));
    }
    // No number of `/actions/:org/:action_number` is `flows`.
    if (refusesOthers) refuseOthers(pattern, allow);
  }
  // Last, because an operation on `/flows/:org/:flow_name` may accept methods that those on
  // `/flows/:org/template_file` do not.
  for (const { pattern, allow } of paths) {
    refuseOthers(pattern, allow);
    app.all(`${pattern}/`, route(redirectToPath));
  }
  const greet = route(async () => greeting(watched.instance.version), "greeting");
  app.get("/", (c, next) => (isForPeople(c.env.incoming) ? next() : greet(c)));
  for (const { method, path, name, serve } of pages?.served ?? []) {
    const page: Serve = (c, identified) => serve({ ...routed(c, proxies), identified });
    app.on(method, path, route(page, name, { failed: failAsPage }));
  }
  app.all("*", route(refusePath, undefined, { failed: failAsPage }));
  // Errors that reach this point get the server's standard error body.
  app.onError((error) => {
    throw error;
  });
  return app;
}

/** Response to `curl` at the service's URL. */
function greeting(version: string): Answer {
  return {
    status: 200,
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: `Delivery Evidence ${version}\nOpen this address in a browser to sign in.\nThe API is described at /api/v2/doc/\n`,
  };
}

interface ServedPath {
  pattern: string;
  methods: ReadonlyMap<string, OperationName>;
  /** Method names, for the `Allow` header of a refusal. */
  allow: string;
  /** Whether methods missing here are refused at once, because no other path may accept them. */
  refusesOthers: boolean;
}

let pathsInOrder: readonly ServedPath[] | undefined;

/** The interface's paths, in matching order. They are the same for all services of a process. */
function servedPaths(): readonly ServedPath[] {
  if (pathsInOrder !== undefined) return pathsInOrder;
  const paths = [...operationsByPath()]
    .map(([pattern, methods]) => ({ pattern, methods, steps: pattern.split("/") }))
    .sort((a, b) => literalFirst(a.pattern, b.pattern));
  const served = paths.map((path) => ({
    pattern: path.pattern,
    methods: path.methods,
    allow: [...path.methods.keys()].sort().join(", "),
    refusesOthers: hidesOnlyInvalid(path, paths),
  }));
  pathsInOrder = BASE_PATHS.flatMap((base) =>
    served.map((path) => ({ ...path, pattern: base + path.pattern })),
  );
  return pathsInOrder;
}

type NamedOperation = OperationShape & { readonly name: OperationName };

/** Pattern of an ID in a path. */
const ID = "{[a-f0-9]+-[a-f0-9]+-[a-f0-9]+-[a-f0-9]+-[a-f0-9]+}";

function operationsByPath(): Map<string, Map<string, OperationName>> {
  const paths = new Map<string, Map<string, OperationName>>();
  for (const { name, method, path, slashesInLastParam, idParam } of Object.values<NamedOperation>(
    operations,
  )) {
    const params = path.replaceAll(/\{(\w+)\}/g, (_, param) => `:${param}${param === idParam ? ID : ""}`);
    const pattern = params + (slashesInLastParam ? "{.+}" : "");
    const methods = paths.get(pattern) ?? new Map<string, OperationName>();
    paths.set(pattern, methods.set(method, name));
  }
  return paths;
}

interface PathSteps extends Pick<ServedPath, "methods"> {
  readonly steps: readonly string[];
}

/** Whether every matching path that would read a literal step as a parameter rejects its value. */
function hidesOnlyInvalid({ steps }: PathSteps, paths: readonly PathSteps[]): boolean {
  const hidden = paths.flatMap(({ steps: others, methods }) => {
    const params = paramsIn(steps, others);
    return params === undefined ? [] : [...methods.values()].map((name) => isValid(name, params));
  });
  return hidden.length > 0 && !hidden.includes(true);
}

/** The literal steps of a pattern that another one reads as parameters, by name. */
function paramsIn(steps: readonly string[], others: readonly string[]): Record<string, string> | undefined {
  if (steps.length !== others.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, step] of steps.entries()) {
    const name = others[index] ?? "";
    if (step === name || (step.startsWith(":") && name.startsWith(":"))) continue;
    if (!name.startsWith(":")) return undefined;
    params[name.slice(1)] = step;
  }
  return Object.keys(params).length === 0 ? undefined : params;
}

function isValid(name: OperationName, given: Readonly<Record<string, string>>): boolean {
  const { params }: OperationShape = operations[name];
  if (params === undefined) return true;
  const result = validate(params, readPath(params, given));
  return !("errors" in result) || Object.keys(given).every((param) => !Object.hasOwn(result.errors, param));
}

/** Sorts more specific patterns first. */
function literalFirst(a: string, b: string): number {
  const [left, right] = [parametersIn(a), parametersIn(b)];
  return left < right ? -1 : Number(left > right);
}

/** The parameters among a pattern's steps: `/flows/:org` is `001`. One that takes the rest comes last. */
function parametersIn(pattern: string): string {
  return pattern
    .split("/")
    .map((step) => (step.endsWith("{.+}") ? 2 : Number(step.startsWith(":"))))
    .join("");
}

interface Answering extends Pick<AppOptions, "record" | "proxies">, RouteOptions {
  operation: string | undefined;
}

async function answerRequest(
  c: RequestContext,
  serve: Serve,
  { operation, record, proxies, ownHeaders, failed }: Answering,
): Promise<Response> {
  const started = performance.now();
  const requestId = requestIdOf(c.env.incoming);
  // Read now, because the address of a disconnected client is unknown later.
  const from = proxies.clientOf(c.env.incoming);
  let caller: Caller | undefined;
  let failure: unknown;
  const serving = serve(c, (known) => {
    caller = known;
  });
  const answer = await serving.catch((error: unknown) => {
    failure = error;
    return failed(c, error);
  });
  const { status, body } = answer;
  const note = (summary: Pick<RequestSummary, "limit" | "error" | "brokeOff">) =>
    record({
      operation,
      method: c.req.method,
      path: loggedPath(targetOf(c.env.incoming)),
      status,
      milliseconds: performance.now() - started,
      requestId,
      clientRequestId: clientRequestIdOf(c.env.incoming),
      from,
      caller,
      ...summary,
    });
  note({
    limit: failure instanceof Refusal ? failure.limit : undefined,
    ...(status >= 500 && failure !== undefined ? { error: failure } : {}),
  });
  const headers = { ...headersOf(answer, shownRequestIdOf(c.env.incoming)), ...ownHeaders(c) };
  if (!(body instanceof ReadableStream)) {
    // A `Response` would turn it into a stream, which takes longer than all else here.
    c.env.outgoing.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
    return RESPONSE_ALREADY_SENT;
  }
  const sent = sentStream(body, c.env.outgoing, (cause) =>
    note({ error: new Error("The response was interrupted", { cause }), brokeOff: true }),
  );
  return new Response(sent, { status, headers });
}

function routed(c: RequestContext, proxies: ClientAddresses) {
  const { incoming } = c.env;
  return {
    incoming,
    source: { address: proxies.clientOf(incoming) ?? null, requestId: requestIdOf(incoming) },
    target: targetOf(incoming),
    pathParams: c.req.param(),
  };
}

async function refuseMethod({ req, env }: RequestContext, allow: string): Promise<never> {
  const message = `Method not allowed: ${req.method} ${targetOf(env.incoming).path}`;
  throw new HttpError(405, "request.method_not_allowed", message, { allow });
}

async function redirectToPath(c: RequestContext): Promise<Answer> {
  const { path, query } = targetOf(c.env.incoming);
  const last = path.split("/").at(-2) ?? "";
  const location = `../${last}${query === "" ? "" : `?${query}`}`;
  const message = `Moved to the path without a trailing slash: ${location}`;
  return { status: 308, headers: { location }, body: errorBody({ message, code: "request.path_moved" }) };
}

async function refusePath({ req, env }: RequestContext): Promise<never> {
  throw new NotFound("request.path_not_found", `Not found: ${req.method} ${targetOf(env.incoming).path}`);
}
