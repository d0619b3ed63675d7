import type { AnswerOf, OperationShape, RequestOf } from "../operation.ts";
import { type OperationName, operations } from "../resources/operations.ts";
import { asObject, isObject } from "../untyped.ts";
import type { Reply } from "./call.ts";
import type { EvidenceClient } from "./client.ts";

type Operations = typeof operations;

/** The operations whose answer may go on at another page. */
export type PagedOperation = {
  [Name in OperationName]: keyof RequestOf<Operations[Name]> & ("page" | "after") extends never
    ? never
    : Name;
}[OperationName];

/** What a list holds, whatever surrounds it. */
export type ItemOf<Body> = Body extends readonly (infer Item)[]
  ? Item
  : Body extends { data: readonly (infer Item)[] }
    ? Item
    : ListsIn<Declared<Body>>;
type Declared<T> = { [K in keyof T as string extends K ? never : K]: T[K] };
type ListsIn<T> = { [K in keyof T]-?: T[K] extends readonly (infer Item)[] ? Item : never }[keyof T];

/** Items a page, where the caller does not say: no list of the interface allows fewer. */
const PER_PAGE = 50;

/**
 * The pages of a list, from the one asked for, or the first, to the last. The next one is asked for when it is
 * wanted, so stopping early costs nothing. A page that a server repeats is left out, and ends a list without a count
 * of its pages.
 *
 * @example
 * for await (const { body } of pages(client, "listRepos", { provider: "github" })) show(body.totalCount);
 */
export async function* pages<Name extends PagedOperation>(
  client: EvidenceClient,
  name: Name,
  request: RequestOf<Operations[Name]>,
): AsyncGenerator<Reply<Operations[Name]>> {
  const operation: OperationShape = operations[name];
  const query = Object.keys(operation.query?._zod.def.shape ?? {});
  // The client's method of this name takes this request.
  const ask = (next: object) => client[name](next as never) as Promise<Reply<Operations[Name]>>;
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
    // A counted list ends anyway, and new items at its front may move a whole page to the next one.
    else if (hasCursor || lastPage(reply) === undefined) return;
    next = hasCursor ? afterCursor(next, reply.body, cursors) : afterPage(next, reply);
  }
}

/**
 * The items of a list, over all its pages.
 *
 * @example
 * for await (const repo of items(client, "listRepos", { provider: "github" })) show(repo.name);
 */
export async function* items<Name extends PagedOperation>(
  client: EvidenceClient,
  name: Name,
  request: RequestOf<Operations[Name]>,
): AsyncGenerator<ItemOf<AnswerOf<Operations[Name]>>> {
  for await (const { body } of pages(client, name, request)) {
    // What the list of such a body holds has the type that its schema gives it.
    yield* listIn(body) as ItemOf<AnswerOf<Operations[Name]>>[];
  }
}

interface Wanted {
  page?: number;
  perPage?: number;
  after?: string;
}

/** The list of an answer: the answer itself, its `data`, or the one field that is a list. */
function listIn(body: unknown): unknown[] {
  if (Array.isArray(body)) return body;
  const { data } = asObject(body);
  return Array.isArray(data) ? data : (Object.values(asObject(body)).find(Array.isArray) ?? []);
}

function afterPage(asked: Wanted, reply: Reply<OperationShape>): Wanted | undefined {
  const { page = 1, perPage = PER_PAGE } = asked;
  const last = lastPage(reply);
  const isLast = last === undefined ? listIn(reply.body).length < perPage : page >= last;
  return isLast ? undefined : { ...asked, page: page + 1 };
}

/** How many pages there are, where the answer or its headers tell. */
function lastPage({ body, headers }: Pick<Reply<OperationShape>, "body" | "headers">): number | undefined {
  const counted = headers["x-total-pages"];
  if (counted !== undefined) return Number(counted);
  if (!isObject(body)) return undefined;
  if (typeof body["totalPages"] === "number") return body["totalPages"];
  if (!("pagination" in body)) return undefined;
  const { pagination } = body;
  return isObject(pagination) ? Number(pagination["pageCount"] ?? pagination["page_count"]) : 1;
}

/** @param followed every cursor that was followed, so that a circle of them ends */
function afterCursor(asked: Wanted, body: unknown, followed: Set<string>): Wanted | undefined {
  const after = tokenIn(asObject(asObject(body)["_links"])["next"]);
  if (after === undefined || after === asked.after || followed.has(after)) return undefined;
  followed.add(after);
  return { ...asked, after };
}

/** A link to what comes next: the token alone, or an address that holds it. */
function tokenIn(next: unknown): string | undefined {
  if (isObject(next)) return tokenIn(next["after"] ?? next["href"]);
  if (typeof next !== "string" || next === "") return undefined;
  return URL.parse(next, "http://relative")?.searchParams.get("after") ?? next;
}
