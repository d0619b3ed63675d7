import type { IncomingMessage } from "node:http";
import { Invalid } from "../kernel/errors.ts";

/** Headers of which a request has one. Of several, whoever stands between may go by another than this service. */
const SINGLE = ["Host", "Authorization", "Content-Type"];

/** @throws Invalid */
export function refuseRepeatedHeaders({ headersDistinct }: IncomingMessage): void {
  for (const name of SINGLE) {
    if ((headersDistinct[name.toLowerCase()]?.length ?? 0) > 1) {
      throw new Invalid(`The header ${name} was sent more than once`);
    }
  }
}
