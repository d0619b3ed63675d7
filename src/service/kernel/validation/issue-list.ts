import type * as z from "zod/mini";
import { MAX_COUNTED_ERRORS, MAX_LISTED_ERRORS } from "../errors.ts";

export type Issue = z.core.$ZodIssue;

/** What is wrong with a value: the first issues as they are, the others as a number. */
export class IssueList {
  readonly listed: Issue[] = [];
  #count = 0;
  readonly #most: number;

  constructor(most = MAX_LISTED_ERRORS) {
    this.#most = most;
  }

  /** How many issues there are. Once the list is full there may be more. */
  get count(): number {
    return this.#count;
  }

  /** Whether it is known that there are too many to go on. */
  get full(): boolean {
    return this.#count > MAX_COUNTED_ERRORS;
  }

  /** Adds one issue. It is made only when it will be listed. */
  add(make: () => Issue): void {
    if (this.#room > 0) this.listed.push(make());
    this.#count++;
  }

  /** Adds the issues of another list. */
  addAll(others: IssueList): void {
    this.listed.push(...others.listed.slice(0, this.#room));
    this.#count += others.count;
  }

  /** A list of its own for what may come to be added to this one. */
  apart(): IssueList {
    return new IssueList(this.#room);
  }

  get #room(): number {
    return this.#most - this.listed.length;
  }

  /** Puts a step before the paths of the issues that were listed since a place in the list. */
  locate(since: number, step: PropertyKey): void {
    for (let i = since; i < this.listed.length; i++) this.listed[i]?.path.unshift(step);
  }
}
