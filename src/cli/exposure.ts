import { isLoopback } from "../net/proxy.ts";

/**
 * What to warn of where others reach the service: it speaks plain HTTP. A public address with TLS shows that there is
 * a proxy before it.
 */
export function exposureWarning(host: string, publicUrl: string | undefined): string | undefined {
  const hostname = host.includes(":") ? `[${host}]` : host.toLowerCase();
  if (isLoopback(hostname) || URL.parse(publicUrl ?? "")?.protocol === "https:") return undefined;
  return (
    `--host ${host} lets others reach the service over plain HTTP, where keys can be read on the way: ` +
    "put a proxy with TLS before it, and say --public-url https://… with the proxy's address"
  );
}
