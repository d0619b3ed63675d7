import * as z from "zod/mini";
import { GitHubError } from "./github-fault.ts";

export const text = z.catch(z.optional(z.string()), undefined);
export const flag = z.catch(z.optional(z.boolean()), undefined);
export const number = z.catch(z.optional(z.number()), undefined);

/** An object whose fields are lenient themselves. */
export const part = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.catch(z.optional(z.object(shape)), undefined);

/** A list; undefined unless every item is valid. */
export const list = <Item extends z.core.$ZodType>(item: Item) =>
  z.catch(z.optional(z.array(item)), undefined);

/** @throws {GitHubError} if GitHub's response is not `what` */
export function parseAnswer<S extends z.core.$ZodType>(
  schema: S,
  answer: unknown,
  what: string,
): z.output<S> {
  const { success, data } = z.safeParse(schema, answer);
  if (success) return data;
  throw new GitHubError({ reason: `GitHub's response is not ${what}` });
}
