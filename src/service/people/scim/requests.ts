import type { Links } from "../../kernel/links.ts";
import type { Log } from "../../kernel/log.ts";
import type { Store } from "../../store/store.ts";
import type { Database } from "../../store/tables.ts";
import { type Attributes, canonicalAttributes, GROUP_SCHEMA, isObject, USER_SCHEMA } from "./attributes.ts";
import { MOST_RESOURCES, RESOURCE_TYPES, SCHEMAS, SERVICE_PROVIDER_CONFIG } from "./documents.ts";
import { filterIn } from "./filter.ts";
import { createGroup, deleteGroup, patchGroup, replaceGroup } from "./groups.ts";
import { operationsIn, patched } from "./patch.ts";
import { noteKept, settlePending } from "./pending.ts";
import { invalid, ScimProblem } from "./problem.ts";
import { attributesOf, type Kind, listRows, membersOf, requireRow, type ScimRow } from "./records.ts";
import { isSelected, type Selection, selectedAttributes } from "./representation.ts";
import type { Provisioning } from "./rights.ts";
import { changeUser, createUser, deleteUser, realmOf } from "./users.ts";

/** A request of an identity provider whose token is valid. */
export interface ScimRequest {
  readonly method: string;
  /** Steps of the path after the organization: `["Users", "…"]`. */
  readonly steps: readonly string[];
  readonly query: URLSearchParams;
  /** Reads the body. */
  readonly body: () => Promise<unknown>;
}

export interface ScimAnswer {
  readonly status: number;
  /** Absent for 204. */
  readonly body?: Attributes;
}

interface Parts extends Provisioning {
  readonly store: Pick<Store, "write" | "read">;
  readonly links: Links;
  readonly log: Log;
}

const MESSAGES = "urn:ietf:params:scim:api:messages:2.0";
export const ERROR_SCHEMA = `${MESSAGES}:Error`;

const KINDS: Readonly<Record<string, Kind>> = { Users: "User", Groups: "Group" };

/** @throws ScimProblem */
export async function answerScim(request: ScimRequest, parts: Parts): Promise<ScimAnswer> {
  const { steps, method } = request;
  const [endpoint = "", id, ...more] = steps;
  const kind = Object.hasOwn(KINDS, endpoint) ? KINDS[endpoint] : undefined;
  if (more.length > 0) throw notFound(steps);
  if (kind === undefined) return { status: 200, body: documentAt(request, parts) };
  if (id === undefined) {
    if (method === "GET") return list(kind, request, parts);
    if (method === "POST") return create(kind, request, parts);
  } else {
    if (method === "GET") return answered(200, kind, [await read(kind, id, parts)], request, parts);
    if (method === "PUT" || method === "PATCH") return change(kind, id, request, parts);
    if (method === "DELETE") {
      const remove = kind === "User" ? deleteUser : deleteGroup;
      await parts.store.write((db) => remove(db, parts, id));
      await followed(kind, parts);
      return { status: 204 };
    }
  }
  throw new ScimProblem(405, `The method ${method} is not supported at /${steps.join("/")}`);
}

function read(kind: Kind, id: string, parts: Parts): Promise<ScimRow> {
  return requireRow(parts.store.read, realmOf(parts), kind, id);
}

function documentAt({ steps, method }: ScimRequest, parts: Parts): Attributes {
  if (method !== "GET") throw new ScimProblem(405, `The method ${method} is not supported here`);
  const [endpoint = "", id] = steps;
  const located = (body: Attributes, resourceType: string, ...at: string[]): Attributes => ({
    ...body,
    meta: { resourceType, location: parts.links.scim(parts.org.name, ...at) },
  });
  if (endpoint === "ServiceProviderConfig" && id === undefined)
    return located(SERVICE_PROVIDER_CONFIG, endpoint, endpoint);
  const documents = { ResourceTypes: RESOURCE_TYPES, Schemas: SCHEMAS };
  if (endpoint !== "ResourceTypes" && endpoint !== "Schemas") throw notFound(steps);
  const all = documents[endpoint].map((each) => located(each, endpoint.slice(0, -1), endpoint, each.id));
  if (id === undefined) return listResponse(all, { total: all.length, startIndex: 1 });
  const found = all.find((each) => each["id"] === id);
  if (found === undefined) throw notFound(steps);
  return found;
}

async function list(kind: Kind, request: ScimRequest, parts: Parts): Promise<ScimAnswer> {
  const { query } = request;
  const startIndex = Math.max(1, numberIn(query, "startIndex", 1));
  const count = Math.min(MOST_RESOURCES, Math.max(0, numberIn(query, "count", MOST_RESOURCES)));
  const filter = query.get("filter") ?? "";
  const conditions = filter.trim() === "" ? [] : filterIn(filter);
  const { read } = parts.store;
  const page = { conditions, offset: startIndex - 1, count };
  const { total, rows } = await listRows(read, realmOf(parts), kind, page);
  const resources = await represented(kind, rows, request, parts);
  return { status: 200, body: listResponse(resources, { total, startIndex }) };
}

function numberIn(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name) ?? "";
  if (text === "") return otherwise;
  if (!/^-?\d{1,9}$/.test(text)) throw invalid("invalidValue", `The parameter ${name} is a whole number`);
  return Number(text);
}

async function create(kind: Kind, request: ScimRequest, parts: Parts): Promise<ScimAnswer> {
  const attributes = canonicalAttributes(await objectIn(request));
  const make = kind === "User" ? createUser : createGroup;
  const row = await parts.store.write((db) => make(db, parts, attributes));
  await followed(kind, parts);
  return answered(201, kind, [row], request, parts);
}

async function change(kind: Kind, id: string, request: ScimRequest, parts: Parts): Promise<ScimAnswer> {
  const body = await objectIn(request);
  const row = await parts.store.write(changeOf(kind, id, { body, method: request.method }, parts));
  await followed(kind, parts);
  // The members of a group may be many, and no client reads them here.
  const isBrief = kind === "Group" && request.method === "PATCH" && !request.query.has("attributes");
  return isBrief ? { status: 204 } : answered(200, kind, [row], request, parts);
}

/** A change of a group may change the roles of many people, in more than one write. */
async function followed(kind: Kind, { log, ...parts }: Parts): Promise<void> {
  if (kind === "Group") noteKept(await settlePending(parts), parts, log);
}

interface Sent {
  readonly method: string;
  readonly body: Attributes;
}

function changeOf(
  kind: Kind,
  id: string,
  { method, body }: Sent,
  parts: Parts,
): (db: Database) => Promise<ScimRow> {
  if (method === "PUT") {
    const attributes = canonicalAttributes(body);
    return (db) =>
      kind === "User" ? changeUser(db, parts, id, () => attributes) : replaceGroup(db, parts, id, attributes);
  }
  const operations = operationsIn(body);
  return (db) =>
    kind === "User"
      ? changeUser(db, parts, id, (existing) => patched(existing, operations))
      : patchGroup(db, parts, id, operations);
}

async function objectIn({ body }: ScimRequest): Promise<Attributes> {
  const sent = await body();
  if (!isObject(sent)) throw invalid("invalidSyntax", "The body is not a JSON object");
  return sent;
}

async function answered(
  status: number,
  kind: Kind,
  rows: readonly [ScimRow],
  request: ScimRequest,
  parts: Parts,
): Promise<ScimAnswer> {
  const [body = {}] = await represented(kind, rows, request, parts);
  return { status, body };
}

async function represented(
  kind: Kind,
  rows: readonly ScimRow[],
  { query }: ScimRequest,
  { links, org, store }: Parts,
): Promise<Attributes[]> {
  const selection: Selection = {
    attributes: query.get("attributes") ?? undefined,
    excludedAttributes: query.get("excludedAttributes") ?? undefined,
  };
  const at = (each: Kind, id: string) => links.scim(org.name, `${each}s`, id);
  const members =
    kind === "Group" && isSelected("members", selection)
      ? await membersOf(
          store.read,
          rows.map(({ id }) => id),
        )
      : undefined;
  return rows.map((row) => {
    const attributes = attributesOf(row);
    const listed = members?.get(row.id)?.map(({ id }) => ({
      ...{ value: id, $ref: at("User", id), type: "User" },
    }));
    const resource = {
      schemas: schemasOf(kind, attributes),
      id: row.id,
      ...attributes,
      ...(listed && { members: listed }),
      meta: {
        resourceType: kind,
        ...{ created: timeText(row.created_at), lastModified: timeText(row.changed_at) },
        ...{ location: at(kind, row.id), version: `W/"${row.version}"` },
      },
    };
    return selectedAttributes(resource, selection);
  });
}

function schemasOf(kind: Kind, attributes: Attributes): string[] {
  const extensions = Object.keys(attributes).filter((name) => /^urn:/i.test(name));
  return [kind === "User" ? USER_SCHEMA : GROUP_SCHEMA, ...extensions];
}

function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

function listResponse(
  resources: readonly Attributes[],
  { total, startIndex }: { total: number; startIndex: number },
): Attributes {
  return {
    schemas: [`${MESSAGES}:ListResponse`],
    ...{ totalResults: total, startIndex, itemsPerPage: resources.length, Resources: resources },
  };
}

function notFound(steps: readonly string[]): ScimProblem {
  return new ScimProblem(404, `There is nothing at /${steps.join("/")}`);
}
