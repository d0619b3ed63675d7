import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ServedProgram, serveProgram } from "../program.ts";

const MEGABYTE = 1_000_000;

let data = "";
let service: ServedProgram;
const sockets: Socket[] = [];
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "evidence-pipelining-"));
  service = await serveProgram(["--data", data, "--org", "acme", "--workers", "1"]);
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(async () => {
  await service.stop("SIGKILL");
  await rm(data, { recursive: true });
});

/** Opens a connection that sends requests and reads no answer. */
async function pipeline(count: number, headers = ""): Promise<Socket> {
  const { hostname, port } = new URL(service.address);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.pause();
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(`GET /ready HTTP/1.1\r\nhost: x\r\n${headers}\r\n`.repeat(count));
  return socket;
}

const metric = async (name: string) => {
  const text = await (await fetch(`${service.address}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
};
const inFlight = () => metric("evidence_http_requests_in_flight");
/** Makes the memory of the service the start of its peak. */
const forgetPeak = () => writeFile(`/proc/${service.child.pid}/clear_refs`, "5");
/** Peak memory of the service. */
async function peak(): Promise<number> {
  const status = await readFile(`/proc/${service.child.pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

describe("a connection that sends 100,000 requests and reads no response", () => {
  it.each([
    ["small ones", ""],
    ["as large as a client's", `user-agent: ${"x".repeat(1_000)}\r\n`],
  ])("takes no memory, and others are answered: %s", async (_, headers) => {
    await forgetPeak();
    const before = await peak();
    for (let connection = 0; connection < 4; connection++) await pipeline(100_000, headers);
    for (let request = 0; request < 50; request++) {
      // At most 8 of each connection, and this one.
      expect(await inFlight()).toBeLessThanOrEqual(4 * 8 + 1);
    }
    expect((await peak()) - before).toBeLessThan(150 * MEGABYTE);
  });
});

describe("a connection with several requests", () => {
  it("has all of them answered, in order", async () => {
    const socket = await pipeline(60);
    socket.write("GET /last HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.resume();
    await once(socket, "close");
    const statuses = Buffer.concat(chunks)
      .toString()
      .match(/(?<=HTTP\/1\.1 )\d+/g);
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => "200"), "404"]);
  });

  it("leaves none of them behind when it is cut", async () => {
    const socket = await pipeline(60);
    await once(socket.resume(), "data");
    socket.destroy();
    await expect.poll(inFlight).toBe(1);
  });
});
