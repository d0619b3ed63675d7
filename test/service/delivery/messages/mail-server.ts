import { once } from "node:events";
import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { onTestFinished } from "vitest";

interface Received {
  readonly mail: Email;
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  readonly encrypted: boolean;
  readonly user: string | undefined;
}

/** A mail server that accepts every mail unless the options say otherwise. */
export async function mailServer(options: SMTPServerOptions = {}) {
  const received: Received[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    onConnect(_, callback) {
      connections++;
      callback();
    },
    async onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      const { mailFrom, rcptTo } = session.envelope;
      received.push({
        mail: await PostalMime.parse(Buffer.concat(chunks)),
        envelope: { from: mailFrom ? mailFrom.address : "", to: rcptTo.map(({ address }) => address) },
        encrypted: session.secure,
        user: typeof session.user === "string" ? session.user : undefined,
      });
      callback();
    },
    ...options,
  });
  // Connection faults are visible in what the client reports.
  server.on("error", () => {});
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  onTestFinished(() => new Promise<void>((done) => server.close(() => done())));
  const address: AddressInfo | string | null = listening.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { port, received, connections: () => connections };
}

/** The response of a server to a command, with its status. */
export function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
