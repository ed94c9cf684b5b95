import type { AuthenticationResult } from '../../authentication/authenticator.js';
import type { Decision } from '../../authorization/authorizer.js';
import { MAX_NOTES, type MetricEntries, type Metrics } from '../../metrics/metrics.js';
import type { RouteMeter } from './route-meter.js';
import type { StepMeter } from './step-meter.js';

/** Results of the first steps of a request, until they are added to the metrics. */
export interface MeasuredSteps {
  authentication: AuthenticationResult | undefined;
  authorization: Decision | undefined;
  /** The milliseconds that authentication took; the next field has those of authorization. */
  authenticationTime: number;
  authorizationTime: number;
  /** The steps of the pipeline that the request passed, one bit for each by its index. */
  passed: number;
}

const SECOND = 1000;
/** The numbers stored for each request. */
const NUMBERS = 7;

/**
 * Collects measurements of requests, one row for each, and adds them to the metrics in batches. The counters and the code that updates them
 * are spread over memory, and on a server with TLS few of them are in the processor's caches, so that updating them for each request would
 * be slow.
 */
export class CallJournal {
  readonly #steps: StepMeter;
  readonly #notes: MetricEntries;
  readonly #authentications: (AuthenticationResult | undefined)[] = [];
  readonly #authorizations: (Decision | undefined)[] = [];
  readonly #routes: (RouteMeter | undefined)[] = [];
  readonly #numbers = new Float64Array(NUMBERS * MAX_NOTES);
  #next = 0;
  #waiting = 0;

  constructor(metrics: Metrics, steps: StepMeter) {
    this.#steps = steps;
    this.#notes = metrics.entries((row) => this.#count(row));
  }

  /**
   * Takes the step results out of an exchange, and records the answer.
   * @param route undefined if the answer is not counted
   * @param time milliseconds in total, including `waited`
   * @param bytes of the answer; -1 if its size is not counted
   */
  add(steps: MeasuredSteps, route?: RouteMeter, status = 0, time = 0, waited = 0, bytes = -1): void {
    // Rows are reused after each batch, so that few of them are in use and stay in the processor's caches.
    if (this.#waiting++ === 0) this.#next = 0;
    const row = this.#next++;
    this.#authentications[row] = steps.authentication;
    this.#authorizations[row] = steps.authorization;
    this.#routes[row] = route;
    const numbers = this.#numbers;
    const at = row * NUMBERS;
    numbers[at] = steps.authenticationTime;
    numbers[at + 1] = steps.authorizationTime;
    numbers[at + 2] = steps.passed;
    numbers[at + 3] = status;
    numbers[at + 4] = time;
    numbers[at + 5] = waited;
    numbers[at + 6] = bytes;
    steps.authentication = undefined;
    steps.authorization = undefined;
    steps.passed = 0;
    this.#notes.add(row);
  }

  #count(row: number): void {
    this.#waiting--;
    const numbers = this.#numbers;
    const number = (i: number) => numbers[row * NUMBERS + i] ?? 0;
    const authenticationTime = number(0) / SECOND;
    const authorizationTime = number(1) / SECOND;
    const authentication = this.#authentications[row];
    const authorization = this.#authorizations[row];
    const route = this.#routes[row];
    if (authentication) this.#steps.authenticated(authentication, authenticationTime);
    if (authorization) this.#steps.authorized(authorization, authorizationTime);
    this.#steps.passed(number(2), authenticationTime, authorizationTime);
    const time = number(4);
    route?.answered(number(3), time / SECOND, (time - number(5)) / SECOND, number(6));
    // The row must not keep users and decisions alive once they are counted.
    this.#authentications[row] = undefined;
    this.#authorizations[row] = undefined;
    this.#routes[row] = undefined;
  }
}
