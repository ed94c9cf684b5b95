import type { LabelValues, MetricEntries, MetricSeries, Metrics } from '../../metrics/metrics.js';
import * as families from './request-families.js';

const GATEWAY_TIMEOUT = 504;
/** The size does not count. */
const NO_BYTES = -1;

/** What is counted of the requests of one route. */
export class RouteMeter {
  readonly #metrics: Metrics;
  readonly #dryRoute: LabelValues;
  readonly #route: LabelValues;
  readonly #duration: MetricSeries;
  /** The time without that in which others were waited for. */
  readonly #own: MetricEntries;
  readonly #sizes: MetricSeries;
  readonly #validations: MetricSeries;
  readonly #answers = new Map<number, MetricEntries>();

  /**
   * @param dryRoute verb, dry run, group, version, resource, subresource, scope, component
   * @param validation how fields are checked
   */
  constructor(metrics: Metrics, dryRoute: LabelValues, validation: string) {
    const [verb = '', , ...rest] = dryRoute;
    this.#metrics = metrics;
    this.#dryRoute = dryRoute;
    this.#route = [verb, ...rest];
    this.#duration = metrics.series(families.requestDuration, dryRoute);
    const sli = metrics.series(families.requestSliDuration, this.#route);
    const slo = metrics.series(families.requestSloDuration, this.#route);
    this.#own = metrics.entries((seconds) => {
      sli.observe(seconds);
      slo.observe(seconds);
    });
    this.#sizes = metrics.series(families.responseSizes, this.#route);
    this.#validations = metrics.series(families.fieldValidationDuration, [validation]);
  }

  /**
   * @param waited of these seconds, for others
   * @param bytes of the answer; undefined where its size does not count
   */
  answered(status: number, seconds: number, waited: number, bytes = NO_BYTES): void {
    let answers = this.#answers.get(status);
    if (answers === undefined) this.#answers.set(status, (answers = this.#answersOf(status)));
    answers.add(seconds, bytes);
    this.#own.add(seconds - waited);
  }

  /** The server's own. */
  fromItself(): void {
    const [verb = '', , , resource = '', subresource = ''] = this.#route;
    this.#metrics.add(families.selfRequests, [verb, resource, subresource]);
  }

  #answersOf(status: number): MetricEntries {
    const metrics = this.#metrics;
    const total = metrics.series(families.requestTotal, [...this.#dryRoute, String(status)]);
    const { requestTerminations } = families;
    return metrics.entries((seconds, bytes) => {
      total.add();
      this.#duration.observe(seconds);
      // As upstream: the series are there, and nothing is ever observed.
      this.#validations.add(0);
      if (bytes !== NO_BYTES) this.#sizes.observe(bytes);
      if (status === GATEWAY_TIMEOUT) metrics.add(requestTerminations, [...this.#route, String(status)]);
    });
  }
}
