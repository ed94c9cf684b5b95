import type { Query } from '../../meta/query.js';
import { quote } from '../../values/quote.js';
import { type Result, textResult } from '../result.js';

/** One condition that must hold for the server to be healthy. */
export interface HealthCheck {
  readonly name: string;
  /** Returns undefined if the check passes, else the reason why it fails. */
  check(): string | undefined;
}

type Endpoint = 'healthz' | 'livez' | 'readyz';

type Checks = Readonly<Record<Endpoint, readonly HealthCheck[]>>;

/** Receives the result of each check whenever all checks of an endpoint ran. */
export type HealthObserver = (endpoint: Endpoint, name: string, well: boolean) => void;

/** Answers /healthz, /livez and /readyz (spec 1.7). */
export class HealthChecks {
  readonly #checks: Checks;
  readonly #observe: HealthObserver | undefined;

  constructor(checks: Checks, observe?: HealthObserver) {
    this.#checks = checks;
    this.#observe = observe;
  }

  /** Returns the paths of all endpoints and single checks. */
  paths(): string[] {
    return (['healthz', 'livez', 'readyz'] as const).flatMap((endpoint) => [
      `/${endpoint}`,
      ...this.#checks[endpoint].map(({ name }) => `/${endpoint}/${name}`),
    ]);
  }

  /** Returns the response to a health request; undefined for other paths. */
  answer(path: string, query: Query): Result | undefined {
    const match = /^\/(healthz|livez|readyz)(?:\/(.+))?$/.exec(path);
    if (!match) return undefined;
    // The regular expression matches only the names of the three endpoints, so the cast is safe.
    const endpoint = match[1] as Endpoint;
    const single = match[2];
    return single === undefined ? this.#all(endpoint, query) : this.#one(endpoint, single);
  }

  #one(endpoint: Endpoint, name: string): Result | undefined {
    const check = this.#checks[endpoint].find((each) => each.name === name);
    if (!check) return undefined;
    const problem = check.check();
    return problem === undefined
      ? textResult(200, 'ok', false)
      : textResult(500, `internal server error: ${problem}\n`);
  }

  #all(endpoint: Endpoint, query: Query): Result {
    const excluded = new Set(query.all('exclude'));
    const lines: string[] = [];
    let well = true;
    for (const { name, check } of this.#checks[endpoint]) {
      if (excluded.delete(name)) {
        lines.push(`[+]${name} excluded: ok`);
        continue;
      }
      const problem = check();
      lines.push(problem === undefined ? `[+]${name} ok` : `[-]${name} failed: reason withheld`);
      this.#observe?.(endpoint, name, problem === undefined);
      well &&= problem === undefined;
    }
    if (well && !query.has('verbose')) return textResult(200, 'ok');
    if (excluded.size > 0) {
      const names = [...excluded].sort().map(quote);
      lines.push(`warn: some health checks cannot be excluded: no matches for ${names.join(',')}`);
    }
    lines.push(`${endpoint} check ${well ? 'passed' : 'failed'}`);
    return textResult(well ? 200 : 500, `${lines.join('\n')}\n`);
  }
}
