import { index, integer, json, primaryKey, table, text, time } from "./schema.ts";

export const LOG_TABLES = {
  /** The evidence log of each organization that has events. */
  logs: table({
    org_id: text.key.references("organizations"),
    /** Name of the log in its checkpoints: an address without scheme, such as `evidence.acme.com/acme`. */
    origin: text,
    /** Number of leaves. */
    size: integer,
    /** The number of the last event in the log. */
    last_sequence: integer,
    /** The latest signed checkpoint; null before the first one. */
    checkpoint: text.nullable,
    /** Number of entries in that checkpoint; 0 before the first one. */
    signed_size: integer,
  }),

  /** Tiles of 256 hashes. The last one of each level has fewer, and changes until it is full. */
  log_tiles: table(
    {
      org_id: text.references("organizations"),
      level: integer,
      tile: integer,
      /** On level 0, the number of its first event; 0 on other levels. */
      first_sequence: integer,
      /** On level 0 the digests of its events, on other levels hashes, in base64. */
      hashes: text,
      /** The root of each 16 hashes, in base64. */
      halfway: text,
    },
    primaryKey("org_id", "level", "tile"),
    index("log_tiles_sequence", ["org_id", "level", "first_sequence"]),
  ),

  /** Keys that sign checkpoints. */
  log_keys: table(
    {
      org_id: text.references("organizations"),
      /** 32 bytes in base64. */
      public_key: text,
      /** PKCS #8 in base64, sealed for the organization. */
      sealed_key: text,
      created_at: time,
      /** Time from which it signs nothing; null for keys in use. */
      retired_at: time.nullable,
    },
    primaryKey("org_id", "public_key"),
  ),

  /** Keys that sign statements. */
  statement_keys: table(
    {
      org_id: text.references("organizations"),
      /** Fingerprint of the public key, as `ssh-keygen -l` prints it. */
      key_id: text,
      /** PEM. */
      public_key: text,
      /** PKCS #8 in base64, sealed for the organization. */
      sealed_key: text,
      created_at: time,
      /** Time from which it signs nothing; null for the key in use. */
      retired_at: time.nullable,
    },
    primaryKey("org_id", "key_id"),
  ),

  /** Signed statements. They are served as they were signed. */
  statements: table(
    {
      id: text.key,
      org_id: text.references("organizations"),
      trail_id: text.nullable.references("trails"),
      key_id: text,
      /** URI. */
      predicate_type: text,
      artifact_fingerprint: text.nullable,
      /** sha256 of what the caller asked to state. */
      question: text,
      /** sha256 of the statement without its time, and of everything that it depends on. */
      basis: text,
      /** sha256 of the payload. */
      digest: text,
      /** The envelope. */
      envelope: json,
      created_at: time,
    },
    index("statements_question", ["org_id", "question", "created_at"]),
    index("statements_trail", ["trail_id"]),
  ),
};
