import type { OperationShape } from "../operation.ts";
import { type OperationName, operations } from "../resources/operations.ts";
import { asObject, isObject } from "../untyped.ts";
import type { EvidenceClient } from "./client.ts";
import type { ItemOf } from "./list-item.ts";
import type { Answers, Requests } from "./methods.ts";
import type { Reply } from "./reply.ts";

/** Names of the operations with paged responses. */
export type PagedOperation = {
  [Name in OperationName]: keyof Requests[Name] & ("page" | "after") extends never ? never : Name;
}[OperationName];

/** Default number of items per page. Every list allows it. */
const PER_PAGE = 50;

/**
 * Iterates over the pages of a list, from the requested page or the first. Each page is fetched on demand, so stopping
 * early costs nothing. A repeated page is skipped, and ends a list without a page count.
 *
 * @example
 * for await (const { body } of pages(client, "listRepos", { provider: "github" })) show(body.totalCount);
 */
export async function* pages<Name extends PagedOperation>(
  client: EvidenceClient,
  name: Name,
  request: Requests[Name],
): AsyncGenerator<Reply<Answers[Name]>> {
  const operation: OperationShape = operations[name];
  const query = Object.keys(operation.query?._zod.def.shape ?? {});
  // The method of this name takes this request.
  const ask = (next: object) => client[name](next as never) as Promise<Reply<Answers[Name]>>;
  let next: Wanted | undefined = {
    ...(query.includes("per_page") && { perPage: PER_PAGE }),
    ...(query.includes("page") && { page: 1 }),
    ...request,
  };
  const hasCursor = query.includes("after");
  const cursors = new Set<string>();
  let listBefore = "";
  while (next) {
    const reply = await ask(next);
    const list = JSON.stringify(listIn(reply.body));
    const isRepeat = list === listBefore && list !== "[]";
    listBefore = list;
    if (!isRepeat) yield reply;
    // A counted list ends anyway. New items at its front may repeat a whole page.
    else if (hasCursor || lastPage(reply) === undefined) return;
    next = hasCursor ? afterCursor(next, reply.body, cursors) : afterPage(next, reply);
  }
}

/**
 * Iterates over the items of a list, across all pages.
 *
 * @example
 * for await (const repo of items(client, "listRepos", { provider: "github" })) show(repo.name);
 */
export async function* items<Name extends PagedOperation>(
  client: EvidenceClient,
  name: Name,
  request: Requests[Name],
): AsyncGenerator<ItemOf<Answers[Name]>> {
  for await (const { body } of pages(client, name, request)) {
    // The schema gives the items this type.
    yield* listIn(body) as ItemOf<Answers[Name]>[];
  }
}

interface Wanted {
  page?: number;
  perPage?: number;
  after?: string;
}

/** The list in a body: the body itself, its `data`, or its only field with a list. */
function listIn(body: unknown): unknown[] {
  if (Array.isArray(body)) return body;
  const { data } = asObject(body);
  return Array.isArray(data) ? data : (Object.values(asObject(body)).find(Array.isArray) ?? []);
}

function afterPage(request: Wanted, reply: Reply<unknown>): Wanted | undefined {
  const { page = 1, perPage = PER_PAGE } = request;
  const last = lastPage(reply);
  const isLast = last === undefined ? listIn(reply.body).length < perPage : page >= last;
  return isLast ? undefined : { ...request, page: page + 1 };
}

/** Number of pages, if the body or the headers contain it. */
function lastPage({ body, headers }: Pick<Reply<unknown>, "body" | "headers">): number | undefined {
  const counted = headers["x-total-pages"];
  if (counted !== undefined) return Number(counted);
  if (!isObject(body)) return undefined;
  if (typeof body["totalPages"] === "number") return body["totalPages"];
  if (!("pagination" in body)) return undefined;
  const { pagination } = body;
  return isObject(pagination) ? Number(pagination["pageCount"] ?? pagination["page_count"]) : 1;
}

/** @param followed all followed cursors, to end a cycle */
function afterCursor(request: Wanted, body: unknown, followed: Set<string>): Wanted | undefined {
  const after = tokenIn(asObject(asObject(body)["_links"])["next"]);
  if (after === undefined || after === request.after || followed.has(after)) return undefined;
  followed.add(after);
  return { ...request, after };
}

/** The cursor in a link to the next page, which is the cursor itself or an address with it. */
function tokenIn(next: unknown): string | undefined {
  if (isObject(next)) return tokenIn(next["after"] ?? next["href"]);
  if (typeof next !== "string" || next === "") return undefined;
  return URL.parse(next, "http://relative")?.searchParams.get("after") ?? next;
}
