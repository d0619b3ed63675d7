/** The state of several things together: one violation is enough to be false; true takes all. */
export function commonState(states: readonly (boolean | null)[]): boolean | null {
  if (states.includes(false)) return false;
  return states.length === 0 || states.includes(null) ? null : true;
}
