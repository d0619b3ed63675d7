import type { Connection } from "../api/client/connection.ts";

/** The page of a trail in the service's web view. */
export function trailUrl(connection: Connection, flow: string, trail: string): string {
  return pageUrl(connection, ["flows", flow, "trails", trail]);
}

function pageUrl({ baseUrl, org }: Connection, path: readonly string[]): string {
  const host = baseUrl.replace(/\/api\/v2$/, "");
  return `${host}/${[org, ...path].map(encodeURIComponent).join("/")}`;
}

/** The page of an environment in the service's web view, or of one of its snapshots. */
export function environmentUrl(connection: Connection, environment: string, snapshot?: string): string {
  const below = snapshot === undefined ? [] : ["snapshots", snapshot];
  return pageUrl(connection, ["environments", environment, ...below]);
}

/** An address that a service gave of a page; undefined when it is none of the web. */
export function webPage(address: string | null | undefined): string | undefined {
  const url = URL.parse(address ?? "");
  return url?.protocol === "https:" || url?.protocol === "http:" ? url.href : undefined;
}
