import type { LabelValues, MetricSeries, Metrics } from '../../metrics/metrics.js';
import * as families from './request-families.js';

const GATEWAY_TIMEOUT = 504;

/** The metrics of one route's requests. */
export class RouteMeter {
  readonly #metrics: Metrics;
  readonly #dryRoute: LabelValues;
  readonly #route: LabelValues;
  readonly #duration: MetricSeries;
  readonly #sli: MetricSeries;
  readonly #slo: MetricSeries;
  readonly #sizes: MetricSeries;
  readonly #validations: MetricSeries;
  readonly #totals = new Map<number, MetricSeries>();

  /**
   * @param dryRoute verb, dry run, group, version, resource, subresource, scope, component
   * @param validation the level of field validation
   */
  constructor(metrics: Metrics, dryRoute: LabelValues, validation: string) {
    const [verb = '', , ...rest] = dryRoute;
    this.#metrics = metrics;
    this.#dryRoute = dryRoute;
    this.#route = [verb, ...rest];
    this.#duration = metrics.series(families.requestDuration, dryRoute);
    this.#sli = metrics.series(families.requestSliDuration, this.#route);
    this.#slo = metrics.series(families.requestSloDuration, this.#route);
    this.#sizes = metrics.series(families.responseSizes, this.#route);
    this.#validations = metrics.series(families.fieldValidationDuration, [validation]);
  }

  /**
   * Records an answer.
   * @param seconds the whole duration
   * @param own the duration without the time that the request waited for others
   * @param bytes of the answer; -1 if its size is not counted
   */
  answered(status: number, seconds: number, own: number, bytes: number): void {
    this.#totalOf(status).add();
    this.#duration.observe(seconds);
    this.#sli.observe(own);
    this.#slo.observe(own);
    // The series exist without observations, as upstream's do.
    this.#validations.add(0);
    if (bytes >= 0) this.#sizes.observe(bytes);
    if (status === GATEWAY_TIMEOUT) this.#metrics.add(families.requestTerminations, [...this.#route, String(status)]);
  }

  /** Records a request of the server itself. */
  fromItself(): void {
    const [verb = '', , , resource = '', subresource = ''] = this.#route;
    this.#metrics.add(families.selfRequests, [verb, resource, subresource]);
  }

  #totalOf(status: number): MetricSeries {
    let total = this.#totals.get(status);
    if (total === undefined) {
      total = this.#metrics.series(families.requestTotal, [...this.#dryRoute, String(status)]);
      this.#totals.set(status, total);
    }
    return total;
  }
}
