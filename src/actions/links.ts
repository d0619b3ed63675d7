import type { Connection } from "../api/client/connection.ts";

export function trailUrl(connection: Connection, flow: string, trail: string): string {
  return pageUrl(connection, ["flows", flow, "trails", trail]);
}

function pageUrl({ baseUrl, org }: Connection, path: readonly string[]): string {
  const host = baseUrl.replace(/\/api\/v2$/, "");
  return `${host}/${[org, ...path].map(encodeURIComponent).join("/")}`;
}

export function environmentUrl(connection: Connection, environment: string, snapshot?: string): string {
  const below = snapshot === undefined ? [] : ["snapshots", snapshot];
  return pageUrl(connection, ["environments", environment, ...below]);
}

/** A page address from a service; undefined unless it is an HTTP or HTTPS address. */
export function webPage(address: string | null | undefined): string | undefined {
  const url = URL.parse(address ?? "");
  return url?.protocol === "https:" || url?.protocol === "http:" ? url.href : undefined;
}
