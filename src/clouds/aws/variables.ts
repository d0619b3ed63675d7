export type Environment = Readonly<Record<string, string | undefined>>;

/** An empty variable counts as unset. */
export function variable(environment: Environment, name: string): string | undefined {
  const value = environment[name];
  return value === "" ? undefined : value;
}

export function regionOf(environment: Environment): string | undefined {
  return variable(environment, "AWS_REGION") ?? variable(environment, "AWS_DEFAULT_REGION");
}

/** Endpoint of a service from the variables: `AWS_ENDPOINT_URL_S3`, else `AWS_ENDPOINT_URL`. */
export function endpointOf(environment: Environment, service: string): string | undefined {
  return variable(environment, `AWS_ENDPOINT_URL_${service}`) ?? variable(environment, "AWS_ENDPOINT_URL");
}

export function amazonDomain(region: string): string {
  if (region.startsWith("cn-")) return "amazonaws.com.cn";
  return region.startsWith("eusc-") ? "amazonaws.eu" : "amazonaws.com";
}
