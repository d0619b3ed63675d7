import type { TraceSettings } from "../../service/ops/otlp-exporter.ts";
import { type Environment, given, UsageError } from "../usage.ts";

/** Variables of the OpenTelemetry specification that the service reads. */
const ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
const TRACES_ENDPOINT = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";

/**
 * Reads where traces are sent. Undefined unless an endpoint is set.
 *
 * @throws {UsageError}
 */
export function tracesFrom(environment: Environment): TraceSettings | undefined {
  const text = (name: string) => given(environment, name);
  if (text("OTEL_SDK_DISABLED")?.toLowerCase() === "true" || text("OTEL_TRACES_EXPORTER") === "none")
    return undefined;
  const own = text(TRACES_ENDPOINT);
  const all = text(ENDPOINT);
  if (own === undefined && all === undefined) return undefined;
  const protocol = text("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") ?? text("OTEL_EXPORTER_OTLP_PROTOCOL");
  if (protocol === "grpc") {
    throw new UsageError("OTEL_EXPORTER_OTLP_PROTOCOL must be http/json, got 'grpc'");
  }
  const name = own === undefined ? ENDPOINT : TRACES_ENDPOINT;
  const url = URL.parse(own ?? `${all?.replace(/\/+$/, "")}/v1/traces`);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${name} must be an http or https address, such as http://127.0.0.1:4318`);
  }
  return {
    url,
    headers: pairsIn(text("OTEL_EXPORTER_OTLP_TRACES_HEADERS") ?? text("OTEL_EXPORTER_OTLP_HEADERS")),
    resource: {
      "service.name": text("OTEL_SERVICE_NAME") ?? "delivery-evidence",
      ...pairsIn(text("OTEL_RESOURCE_ATTRIBUTES")),
      ...(text("OTEL_SERVICE_NAME") && { "service.name": text("OTEL_SERVICE_NAME") ?? "" }),
    },
    ratio: ratioOf(text("OTEL_TRACES_SAMPLER"), text("OTEL_TRACES_SAMPLER_ARG")),
  };
}

const SAMPLERS = ["parentbased_always_on", "parentbased_traceidratio"] as const;

function ratioOf(sampler: string = SAMPLERS[0], argument = "1"): number {
  if (sampler === SAMPLERS[0]) return 1;
  if (sampler !== SAMPLERS[1]) {
    throw new UsageError(`OTEL_TRACES_SAMPLER must be ${SAMPLERS.join(" or ")}, got '${sampler}'`);
  }
  const ratio = Number(argument);
  if (ratio >= 0 && ratio <= 1) return ratio;
  throw new UsageError(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, got '${argument}'`);
}

/** `key=value,key=value`, with values in percent-encoding. */
function pairsIn(list = ""): Record<string, string> {
  return Object.fromEntries(
    list.split(",").flatMap((pair) => {
      const [key = "", ...value] = pair.split("=");
      return key.trim() === "" ? [] : [[key.trim().toLowerCase(), decoded(value.join("=").trim())]];
    }),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
