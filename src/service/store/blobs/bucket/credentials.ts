import * as z from "zod/mini";
import { RemoteFault } from "./remote-fault.ts";

/** What requests to a store are signed with. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** In ms; absent: they hold until they are taken away. */
  readonly expiresAt?: number;
}

/** Gets credentials that hold from now on. */
export type CredentialSource = () => Promise<Credentials>;

const temporary = z.object({
  AccessKeyId: z.string(),
  SecretAccessKey: z.string(),
  Token: z.string(),
  Expiration: z.string(),
});

/** Reads what containers and instances are told. @param who what said it */
export function parseTemporary(who: string, text: string): Credentials {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The text itself may hold a secret.
    throw RemoteFault.wrong(who, "answered what is no JSON");
  }
  const { success, data } = temporary.safeParse(json);
  if (!success) throw RemoteFault.wrong(who, "gave no complete credentials");
  return temporaryCredentials(who, {
    accessKeyId: data.AccessKeyId,
    secretAccessKey: data.SecretAccessKey,
    sessionToken: data.Token,
    expiration: data.Expiration,
  });
}

interface Temporary {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  /** Such as `2027-01-31T12:00:00Z`. */
  readonly expiration: string;
}

export function temporaryCredentials(who: string, { expiration, ...keys }: Temporary): Credentials {
  const expiresAt = Date.parse(expiration);
  if (Number.isNaN(expiresAt)) throw RemoteFault.wrong(who, "gave credentials without the time of their end");
  return { ...keys, expiresAt };
}
