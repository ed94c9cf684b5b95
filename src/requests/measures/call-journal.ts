import type { AuthenticationResult } from '../../authentication/authenticator.js';
import type { Decision } from '../../authorization/authorizer.js';
import { MAX_NOTES, type MetricEntries, type Metrics } from '../../metrics/metrics.js';
import type { RouteMeter } from './route-meter.js';
import type { StepMeter } from './step-meter.js';

/** What came of the first steps of a request, until it is noted. */
export interface MeasuredSteps {
  authentication: AuthenticationResult | undefined;
  authorization: Decision | undefined;
  /** Milliseconds in which the caller was found, and in which it was decided what he may. */
  authenticationTime: number;
  authorizationTime: number;
  /** A bit for each step of the pipeline that was passed, by its place. */
  passed: number;
}

const SECOND = 1000;
/** Of a row. */
const NUMBERS = 7;

/**
 * What is to be counted of requests: a row of each, worked off for many at once. What a request moves, and the code that moves it, lies all
 * over the memory, and a server that serves TLS finds little of it in the processor's caches.
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
   * Takes what came of the steps out of an exchange, and notes what was answered.
   * @param route undefined where nothing of an answer counts
   * @param time milliseconds, of which it `waited` some for others
   * @param bytes of the answer; -1 where its size does not count
   */
  add(steps: MeasuredSteps, route?: RouteMeter, status = 0, time = 0, waited = 0, bytes = -1): void {
    // Rows that were worked off are used again: few of them stay near the processor.
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
    // Users and what was said of them are not kept by what was counted.
    this.#authentications[row] = undefined;
    this.#authorizations[row] = undefined;
    this.#routes[row] = undefined;
  }
}
