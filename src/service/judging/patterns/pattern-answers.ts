export interface PatternQuestion {
  readonly pattern: string;
  readonly texts: ReadonlySet<string>;
}

/** Thrown to have patterns matched, after which the work is repeated. */
export class UnansweredPatterns extends Error {
  constructor() {
    super("Some patterns have not been matched yet");
    this.name = "UnansweredPatterns";
  }
}

/** Known matches of patterns in texts. */
export class PatternAnswers {
  /** Processor time so far, in milliseconds. */
  cpuMs = 0;
  readonly #known = new Map<string, { texts: ReadonlySet<string>; found: ReadonlySet<string> }>();
  #open: PatternQuestion[] = [];

  /** Adds unknown texts to the open questions. A pattern without texts is only checked. */
  ask(pattern: string, texts: ReadonlySet<string>): void {
    const known = this.#known.get(pattern);
    const unknown = known ? new Set([...texts].filter((text) => !known.texts.has(text))) : texts;
    if (!known || unknown.size > 0) this.#open.push({ pattern, texts: unknown });
  }

  /** @throws UnansweredPatterns for open questions */
  requireAll(): void {
    if (this.#open.length > 0) throw new UnansweredPatterns();
  }

  /** Returns and clears open questions. */
  takeQuestions(): PatternQuestion[] {
    const questions = this.#open;
    this.#open = [];
    return questions;
  }

  add({ pattern, texts }: PatternQuestion, found: readonly string[]): void {
    const known = this.#known.get(pattern);
    this.#known.set(pattern, {
      texts: known ? new Set([...known.texts, ...texts]) : texts,
      found: new Set([...(known?.found ?? []), ...found]),
    });
  }

  /** Whether the pattern matches the text. Both must have been requested before. */
  isFound(pattern: string, text: string): boolean {
    const known = this.#known.get(pattern);
    if (!known?.texts.has(text)) throw new Error(`'${pattern}' was not matched in '${text}'`);
    return known.found.has(text);
  }
}
