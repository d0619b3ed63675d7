import { InputError } from "../api/client/errors.ts";
import { isObject, type Untyped } from "../api/untyped.ts";
import type { RemoteService } from "../evidence/remote/remote-service.ts";
import type { Answer } from "../net/exchange.ts";

/** The inputs of a code host. */
export const INPUTS = { address: "code-host-url", token: "code-host-token" };
export const REPOSITORY_INPUT = "code-host-repository";

/** Maximum number of pages of one list, against a host that always returns another one. */
const MAX_PAGES = 100;

type Query = Readonly<Record<string, string>>;

/** A response with its JSON. */
interface Reply {
  readonly answer: Answer;
  readonly content: unknown;
}

interface Page {
  readonly items: unknown;
  /** Changed parameters of the query for the next page. Undefined for the last page. */
  readonly next: Query | undefined;
}

export interface HostOptions {
  readonly kind: {
    /** `GitLab` */
    readonly name: string;
    /** Form of a repository's name. */
    readonly form: RegExp;
  };
  readonly repository: string;
  readonly authorization: string;
}

/** Reads from one repository of a code host. All errors name inputs or the host. */
export class HostClient {
  readonly #remote: RemoteService;
  readonly #options: HostOptions;

  constructor(remote: RemoteService, options: HostOptions) {
    this.#remote = remote;
    this.#options = options;
  }

  /** The parts of the repository's name, each encoded for a path. @throws {InputError} for another form */
  get parts(): string[] {
    const { repository, kind } = this.#options;
    const parts = repository.split("/");
    const isUsable = parts.every((part) => !["", ".", ".."].includes(part));
    if (isUsable && kind.form.test(repository)) return parts.map(encodeURIComponent);
    const problem = `must be of the form group/project, not '${repository}'`;
    throw new InputError([{ input: REPOSITORY_INPUT, problem }]);
  }

  /**
   * @param body sent by POST
   * @throws {InputError} for a rejected token and a repository that does not exist
   * @throws what `RemoteService` does for a broken response
   */
  async get(path: string, query?: Query, body?: unknown): Promise<Reply> {
    const reply = await this.find(path, query, body);
    if ("content" in reply) return reply;
    const { kind, repository } = this.#options;
    const said = `${this.#remote.messageIn(reply.answer)} (status 404)`;
    const problem = `${kind.name} has no '${path}' for '${repository}', or hides it from the token: ${said}`;
    throw new InputError([{ input: REPOSITORY_INPUT, problem }]);
  }

  /** As `get`, but without `content` for a 404. */
  async find(path: string, query: Query = {}, body?: unknown): Promise<Reply | { readonly answer: Answer }> {
    const { authorization } = this.#options;
    const answer = await this.#remote.ask({ path, query, authorization, body });
    if (answer.status === 404) return { answer };
    return { answer, content: this.#remote.read(answer, `'${path}'`) };
  }

  /** Reads the pages of a list to the last one. */
  async list(path: string, query: Query, pageOf: (reply: Reply) => Page): Promise<Untyped[]> {
    const all: Untyped[] = [];
    let asked = query;
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const { items, next } = pageOf(await this.get(path, asked));
      all.push(...this.itemsIn(items));
      if (next === undefined) return all;
      asked = { ...asked, ...next };
    }
    throw this.unexpected("a list without an end");
  }

  /** @throws {ProtocolError} unless it is a list of objects */
  itemsIn(list: unknown): readonly Untyped[] {
    if (Array.isArray(list) && list.every(isObject)) return list;
    throw this.unexpected("not a list");
  }

  unexpected(what: string): Error {
    return this.#remote.unexpected({ status: 200 }, what);
  }
}
