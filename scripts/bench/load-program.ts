/*
 * Attests as fast as a service allows, over persistent connections, and prints the result. Requests are prepared
 * beforehand and responses hardly parsed, so that the service gets most of the machine.
 */
import { connect, type Socket } from "node:net";
import { type Account, CLIENTS, type Load, type LoadOptions } from "./durable.ts";
import { median, quantile } from "./measure.ts";
import { isWhole, requestText, statusOf } from "./raw-http.ts";

const { addresses, accounts, seconds }: LoadOptions = JSON.parse(process.argv[2] ?? "");
/** Attestations per trail, because a single trail for all would be unrealistic. */
const PER_TRAIL = 100;
const BOUNDARY = "attestation";
/** Each body is unique, because a repeated one would be answered without being recorded. */
function body(): string {
  const fields = {
    attestation_name: "lint",
    is_compliant: true,
    description: `run ${process.pid}-${sent++}`,
  };
  return [
    `--${BOUNDARY}`,
    'Content-Disposition: form-data; name="data_json"',
    "Content-Type: application/json",
    "",
    JSON.stringify(fields),
    `--${BOUNDARY}--`,
    "",
  ].join("\r\n");
}

let sent = 0;
const times: number[] = [];
/** The clients are distributed among the instances of the service. */
const instances = addresses.map((address) => new URL(address));

function request(trail: string, { host }: URL, { org, apiKey }: Account): string {
  return requestText("POST", `/api/v2/attestations/${org}/load/trail/${trail}/generic`, {
    host,
    apiKey,
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    body: body(),
  });
}

/** Sends one request and resolves when its response is complete. */
function exchange(socket: Socket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const read = (chunk: string) => {
      answer += chunk;
      if (!isWhole(answer)) return;
      socket.off("data", read).off("error", reject);
      if (statusOf(answer) === 201) resolve();
      else reject(new Error(`The response to an attestation was ${answer}`));
    };
    socket.on("data", read).once("error", reject);
    socket.write(text);
  });
}

async function attest(client: number, instance: URL, account: Account, end: number): Promise<void> {
  const socket = connectTo(instance).setNoDelay();
  for (let count = 0; performance.now() < end; count++) {
    const start = performance.now();
    const trail = `trail-${client}-${Math.floor(count / PER_TRAIL)}`;
    await exchange(socket, request(trail, instance, account));
    times.push(performance.now() - start);
  }
  socket.destroy();
}

function connectTo({ hostname, port }: URL): Socket {
  return connect(Number(port), hostname).setEncoding("latin1");
}

for (const instance of instances) {
  const first = connectTo(instance);
  for (const account of accounts) await exchange(first, request("first", instance, account));
  first.destroy();
}
const start = performance.now();
const end = start + Number(seconds) * 1000;
/** The clients of each instance are distributed among the organizations. */
const clients = Array.from({ length: CLIENTS }, (_, client) => {
  const instance = instances[client % instances.length];
  const account = accounts[Math.floor(client / instances.length) % accounts.length];
  if (!instance || !account) throw new Error("No instance or no account was given");
  return attest(client, instance, account, end);
});
await Promise.all(clients);
const elapsed = (performance.now() - start) / 1000;
const load: Load = { perSecond: times.length / elapsed, median: median(times), p99: quantile(times, 0.99) };
process.stdout.write(JSON.stringify(load));
