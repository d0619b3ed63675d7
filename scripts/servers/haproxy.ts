import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { type Program, startProgram, waitUntil } from "./programs.ts";

/** A port of HAProxy on the loopback address, and the servers behind it. */
export interface Proxied {
  readonly mode: "http" | "tcp";
  readonly port: number;
  /** A path that only a server that is to get connections answers with 200. */
  readonly check: string;
  readonly servers: readonly {
    readonly port: number;
    /** The port with that path; by default the same. */
    readonly checkPort?: number;
  }[];
}

export function haproxyConfig({ mode, port, check, servers }: Proxied): string {
  const lines = servers.map(
    (server, index) =>
      `  server s${index} 127.0.0.1:${server.port} check port ${server.checkPort ?? server.port}`,
  );
  return `defaults
  mode ${mode}
  timeout connect 5s
  timeout check 2s
  timeout client 1h
  timeout server 1h

listen proxied
  bind 127.0.0.1:${port}
  option httpchk GET ${check}
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${lines.join("\n")}
`;
}

/** Starts HAProxy with its files in a folder. */
export async function startHaproxy(folder: string, proxied: Proxied): Promise<Program> {
  const file = join(folder, "haproxy.cfg");
  await writeFile(file, haproxyConfig(proxied));
  const program = await startProgram(["haproxy", "-db", "-f", file], join(folder, "haproxy.log"));
  await waitUntil("HAProxy accepts connections", () => accepts(proxied.port));
  return program;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
