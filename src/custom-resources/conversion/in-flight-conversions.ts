const MIB = 1024 * 1024;
/** Maximum size in bytes of concurrent requests and their possible answers, for all definitions together and for one. */
const MOST = 256 * MIB;
const MOST_OF_ONE = 64 * MIB;

interface Waiting {
  readonly definition: string;
  readonly bytes: number;
  readonly begin: () => void;
}

/**
 * Limits concurrent requests to conversion webhooks: a request that would exceed a limit waits until others end. Each definition also has
 * its own limit, so that a slow webhook delays only its own objects.
 */
export class InFlightConversions {
  readonly #ofDefinition = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #bytes = 0;

  /**
   * Runs `ask` as soon as the limits allow it.
   * @param bytes the maximum size of the request and its answer together
   */
  async run<T>(definition: string, bytes: number, ask: () => Promise<T>): Promise<T> {
    if (this.#fits(definition, bytes)) this.#add(definition, bytes);
    else await new Promise<void>((resolve) => this.#waiting.add({ definition, bytes, begin: resolve }));
    try {
      return await ask();
    } finally {
      this.#add(definition, -bytes);
      this.#beginWaiting();
    }
  }

  #fits(definition: string, bytes: number): boolean {
    const own = this.#ofDefinition.get(definition);
    if (own === undefined) return this.#bytes === 0 || this.#bytes + bytes <= MOST;
    return own + bytes <= MOST_OF_ONE && this.#bytes + bytes <= MOST;
  }

  #add(definition: string, bytes: number): void {
    this.#bytes += bytes;
    const own = (this.#ofDefinition.get(definition) ?? 0) + bytes;
    if (own === 0) this.#ofDefinition.delete(definition);
    else this.#ofDefinition.set(definition, own);
  }

  #beginWaiting(): void {
    for (const each of this.#waiting) {
      if (!this.#fits(each.definition, each.bytes)) continue;
      this.#waiting.delete(each);
      this.#add(each.definition, each.bytes);
      each.begin();
    }
  }
}
