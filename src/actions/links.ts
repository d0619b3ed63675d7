import type { Connection } from "../api/connection.ts";

/** The page of a trail in the service's web view. */
export function trailUrl(connection: Connection, flow: string, trail: string): string {
  const host = connection.baseUrl.replace(/\/api\/v2$/, "");
  const path = [connection.org, "flows", flow, "trails", trail].map(encodeURIComponent).join("/");
  return `${host}/${path}`;
}

/** An address that a service gave of a page; undefined when it is none of the web. */
export function webPage(address: string | null | undefined): string | undefined {
  const url = URL.parse(address ?? "");
  return url?.protocol === "https:" || url?.protocol === "http:" ? url.href : undefined;
}
