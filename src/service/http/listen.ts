import type { Server } from "node:http";

/** Requests under way have this long to end when the service is closed. */
const CLOSE_GRACE_MS = 10_000;

/** @returns the address that the server has: `http://127.0.0.1:8800` */
export function listen(server: Server, { host, port }: { host: string; port: number }): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      reject(new Error(`${host} cannot be listened on at port ${port}: name another one`, { cause }));
    });
    server.listen(port, host, () => {
      const bound = server.address();
      const boundPort = typeof bound === "object" && bound !== null ? bound.port : port;
      resolve(`http://${host.includes(":") ? `[${host}]` : host}:${boundPort}`);
    });
  });
}

/** Listens to whoever can open a socket of this machine. */
export function listenLocally(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
}

/** Answers the requests under way, then closes. */
export async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Connections that were busy become idle, and would be kept alive for more requests.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const grace = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(grace);
}
