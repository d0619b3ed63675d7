import { request } from "undici";

/** An identity provider that sends users and groups to a service. */
export interface ScimClient {
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ScimReply>;
}

interface ScimReply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** @param base address of the interface: `http://…/scim/v2/acme` */
export function scimClient(base: string, token: string): ScimClient {
  return {
    async send(method, path, body, more = {}) {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { "content-type": "application/scim+json" }),
        ...more,
      };
      const answer = await request(`${base}${path}`, {
        ...{ method, headers },
        ...(body !== undefined && { body: text }),
      });
      const content = await answer.body.text();
      const { statusCode: status } = answer;
      return { status, headers: answer.headers, body: content === "" ? undefined : JSON.parse(content) };
    },
  };
}

const MESSAGES = "urn:ietf:params:scim:api:messages:2.0";
export const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
export const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
export const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

export function patch(...operations: readonly object[]) {
  return { schemas: [`${MESSAGES}:PatchOp`], Operations: operations };
}

/** The body of an error, without the detail. */
export function problem(status: number, scimType?: string) {
  const body = { schemas: [`${MESSAGES}:Error`], status: String(status), ...(scimType && { scimType }) };
  return { status, body };
}

/** A list with these resources. */
export function found(...resources: readonly object[]) {
  const { length } = resources;
  return { status: 200, body: { totalResults: length, itemsPerPage: length, Resources: resources } };
}
