/** A moment as the interface has it of repositories, `2026-01-31T12:00:00.000Z`, in Unix seconds. */
export function secondsOf(moment: string | null | undefined): number | undefined {
  return moment ? Date.parse(moment) / 1000 : undefined;
}
