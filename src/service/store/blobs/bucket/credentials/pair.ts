import { type Environment, variable } from "../address.ts";

/** Two variables that are given together or not at all. @throws Error when one of them is missing */
export function pairOf(
  environment: Environment,
  first: string,
  second: string,
): readonly [string, string] | undefined {
  const [one, other] = [variable(environment, first), variable(environment, second)];
  if (one === undefined && other === undefined) return undefined;
  if (one === undefined) throw new Error(`${second} is set, but ${first} is not: the bucket needs both`);
  if (other === undefined) throw new Error(`${first} is set, but ${second} is not: the bucket needs both`);
  return [one, other];
}
