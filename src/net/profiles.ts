const MB = 1024 * 1024;

export interface Profile {
  readonly attempts: number;
  /** Maximum size of a response, in bytes. */
  readonly maxBytes: number;
  /** Followed redirects never lead from https to http, and never send credentials to another host. */
  readonly redirects: "refused" | "given" | "followed";
  /** Whether a status is retried; `isRetriedStatus` by default. */
  readonly isRetried?: (status: number) => boolean;
  /** Faults of the connection that retries cannot fix, in addition to those of TLS. */
  readonly finalFaults?: ReadonlySet<string>;
}

const isServerFault = (status: number) => status >= 500;

export const PROFILES = {
  /** The API. Evidence must not reach another server. */
  api: { attempts: 4, maxBytes: 20 * MB, redirects: "refused" },
  /** File downloads from the API. */
  files: { attempts: 4, maxBytes: 512 * MB, redirects: "refused" },
  /** Tokens of the issuer: a few kilobytes. */
  tokens: { attempts: 4, maxBytes: MB, redirects: "refused" },
  /** Jira and Sonar. The token must not reach another server. */
  tracker: { attempts: 4, maxBytes: 20 * MB, redirects: "refused" },
  /** Registries, with their size limit for manifests. They redirect to their storage. */
  registry: { attempts: 3, maxBytes: 4 * MB, redirects: "given" },
  /** GitHub. Redirects lead to moved repositories. The rate limit is reset hourly, so it is not waited for. */
  github: { attempts: 1, maxBytes: 20 * MB, redirects: "followed", isRetried: isServerFault },
  /** Artifacts of GitHub, which redirects to its storage. A larger archive is not a spool. */
  archive: { attempts: 1, maxBytes: 2048 * MB, redirects: "followed" },
  /** Attestation bundles of GitHub, compressed or not. */
  bundle: { attempts: 3, maxBytes: 20 * MB, redirects: "given", isRetried: isServerFault },
  /** A container engine. Lists contain all labels. A missing or inaccessible engine is not retried. */
  engine: {
    attempts: 3,
    maxBytes: 20 * MB,
    redirects: "given",
    finalFaults: new Set(["ENOENT", "ENOTDIR", "ECONNREFUSED", "EACCES", "EPERM"]),
  },
  /** The caller retries, because each attempt needs its own signature. The size fits a list of 1,000 keys. */
  bucket: { attempts: 1, maxBytes: 4 * MB, redirects: "given" },
  /** The interface of a cloud. The caller retries, because each attempt needs its own signature or token. */
  cloud: { attempts: 1, maxBytes: 32 * MB, redirects: "given" },
  /** A cluster. A page of pods has a few megabytes. Four times this limit exceeds the maximum length of a string. */
  cluster: { attempts: 1, maxBytes: 128 * MB, redirects: "given" },
} as const satisfies Readonly<Record<string, Profile>>;
