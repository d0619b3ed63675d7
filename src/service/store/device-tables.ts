import { index, integer, table, text, time } from "./schema.ts";

export const DEVICE_TABLES = {
  /** Requests of command lines to sign in as the person who approves them in a browser (RFC 8628). */
  device_logins: table(
    {
      /** sha256 of the device code, in hex. The code itself is not stored. */
      device_hash: text.key,
      /** sha256 of the user code, in hex. */
      user_hash: text.unique,
      /** Name of the machine, as it says, and its address. */
      device: text.nullable,
      address: text.nullable,
      created_at: time,
      expires_at: time,
      /** Seconds between two polls. Grows when a client polls too often. */
      poll_seconds: integer,
      polled_at: time.nullable,
      answer: text.of<"approved" | "denied">().nullable,
      /** The person who answered, and the sign-in of that browser. */
      person_id: text.nullable.references("people"),
      provider: text.nullable,
      provider_session: text.nullable,
      /** As in `sessions`. */
      ended_in: text.default(""),
    },
    index("device_logins_end", ["expires_at"]),
    index("device_logins_person", ["person_id"]),
  ),
};
