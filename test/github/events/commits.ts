/*
 * The commits of the recorded events, each as a git object and as GitHub's API returns it. The payloads name them by
 * their real SHAs, so that a clone can contain the same objects.
 */
import { createHash } from "node:crypto";

interface Written {
  readonly parents: readonly string[];
  readonly name: string;
  readonly email: string;
  readonly time: number;
  readonly committer: string;
  readonly signed: boolean;
  readonly message: string;
  /** The author's account. Null for an address that belongs to none. */
  readonly login: string | null;
}

export interface RecordedCommit extends Written {
  readonly sha: string;
  /** The git object. */
  readonly object: string;
  /** The response of GitHub's API. */
  readonly answer: unknown;
}

const SIGNATURE = "-----BEGIN PGP SIGNATURE-----\n \n iQEzBAABCAAdFiEE\n -----END PGP SIGNATURE-----";

function recorded(written: Written): RecordedCommit {
  const { parents, name, email, time, committer, signed, message, login } = written;
  const object = [
    "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    ...parents.map((parent) => `parent ${parent}`),
    `author ${name} <${email}> ${time} +0200`,
    `committer ${committer} ${time + 60} +0000`,
    ...(signed ? [`gpgsig ${SIGNATURE}`] : []),
    "",
    message,
  ].join("\n");
  const sha = createHash("sha1")
    .update(`commit ${Buffer.byteLength(object)}\0${object}`)
    .digest("hex");
  const answer = {
    sha,
    commit: {
      message: message.trimEnd(),
      author: { name, email, date: new Date(time * 1000).toISOString() },
      committer: { name: "…", email: "…", date: new Date((time + 60) * 1000).toISOString() },
      verification: { verified: signed, reason: signed ? "valid" : "unsigned" },
    },
    author: login === null ? null : { login, type: "User" },
    parents: parents.map((parent) => ({ sha: parent })),
  };
  return { ...written, sha, object, answer };
}

const ada = { name: "Ada Lovelace", email: "ada@acme.example", login: "ada" };
const grace = { name: "Grace Hopper", email: "1234+grace@users.noreply.github.com", login: "grace" };
const linus = { name: "Linus", email: "linus@elsewhere.example", login: "linus" };
const release = { name: "acme-release", email: "release@acme.example", login: null };
const gitHub = "GitHub <noreply@github.com>";
const self = ({ name, email }: { name: string; email: string }) => `${name} <${email}>`;

/** Has no parents. */
export const first = recorded({
  ...ada,
  parents: [],
  time: 1_700_000_000,
  committer: self(ada),
  signed: false,
  message: "Begin the shop\n",
});
export const main = recorded({
  ...ada,
  parents: [first.sha],
  time: 1_700_001_000,
  committer: self(ada),
  signed: true,
  message: "Add the cart\n\nIt holds what people buy.\n",
});
/** Its author hides the email address. */
export const feature = recorded({
  ...grace,
  parents: [main.sha],
  time: 1_700_002_000,
  committer: self(grace),
  signed: false,
  message: "Sort the cart\n",
});
/** In the fork of another user. */
export const fork = recorded({
  ...linus,
  parents: [main.sha],
  time: 1_700_003_000,
  committer: self(linus),
  signed: false,
  message: "Fix a typo\n",
});
/** Its author's address belongs to no account. */
export const bot = recorded({
  ...release,
  parents: [main.sha],
  time: 1_700_004_000,
  committer: self(release),
  signed: false,
  message: "Release 1.2.0\n",
});
export const merge = recorded({
  ...ada,
  parents: [main.sha, feature.sha],
  time: 1_700_005_000,
  committer: gitHub,
  signed: true,
  message: "Merge pull request #7 from acme/feature\n\nSort the cart\n",
});
/** Made by the merge queue. */
export const queue = recorded({
  ...grace,
  parents: [merge.sha],
  time: 1_700_006_000,
  committer: gitHub,
  signed: true,
  message: "Empty the cart (#8)\n",
});

export const commits: readonly RecordedCommit[] = [first, main, feature, fork, bot, merge, queue];
