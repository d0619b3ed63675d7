/** Picks rows by a seed: the same rows for the same population, size and seed. Keeps their order. */
export function sampleOf<Row>(population: readonly Row[], size: number, seed: number): Row[] {
  const random = randomFrom(seed);
  const places = population.map((_, place) => place);
  const count = Math.min(size, places.length);
  for (let at = 0; at < count; at++) {
    const other = at + Math.floor(random() * (places.length - at));
    [places[at], places[other]] = [places[other] ?? 0, places[at] ?? 0];
  }
  return places
    .slice(0, count)
    .sort((one, other) => one - other)
    .flatMap((place) => population[place] ?? []);
}

/** Mulberry32, so that others can repeat the sample. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
