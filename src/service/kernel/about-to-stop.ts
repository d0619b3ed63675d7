import { Busy } from "./errors.ts";

/** For what can be done when the service runs again. */
export function aboutToStop(): Busy {
  return new Busy("The service is about to stop: try again", 5);
}
