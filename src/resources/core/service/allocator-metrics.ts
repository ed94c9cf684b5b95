import { counter, gauge } from '../../../metrics/families.js';
import type { MetricFamily, Metrics } from '../../../metrics/metrics.js';

type Sort = 'clusterip' | 'nodeport';

interface AllocatorFamilies {
  readonly taken: MetricFamily;
  readonly free: MetricFamily;
  readonly allocations: MetricFamily;
  readonly errors: MetricFamily;
}

function familiesOf(
  sort: Sort,
  value: string,
  counted: string,
  allocated: string,
  labels: readonly string[],
): AllocatorFamilies {
  const prefix = `kube_apiserver_${sort}_allocator`;
  const measures = (which: string) => `Gauge measuring the number of ${which} ${counted} for Services`;
  const scoped = [...labels, 'scope'];
  return {
    taken: gauge(`${prefix}_allocated_${value}`, measures('allocated'), labels),
    free: gauge(`${prefix}_available_${value}`, measures('available'), labels),
    allocations: counter(`${prefix}_allocation_total`, `Number of ${allocated} allocations`, scoped),
    errors: counter(`${prefix}_allocation_errors_total`, `Number of errors trying to allocate ${allocated}`, scoped),
  };
}

const FAMILIES: Readonly<Record<Sort, AllocatorFamilies>> = /* @__PURE__ */ Object.freeze({
  clusterip: /* @__PURE__ */ familiesOf('clusterip', 'ips', 'IPs', 'Cluster IPs', ['cidr']),
  nodeport: /* @__PURE__ */ familiesOf('nodeport', 'ports', 'NodePorts', 'NodePort', []),
});

/** Counts the allocations of one pool. */
export class AllocatorMeter {
  readonly #metrics: Metrics;
  readonly #families: AllocatorFamilies;
  readonly #labels: readonly string[];

  /**
   * @param cidr the range of addresses; undefined for ports.
   * @param size the number of values in the pool.
   * @param taken returns how many values are in use.
   */
  constructor(metrics: Metrics, cidr: string | undefined, size: number, taken: () => number) {
    this.#metrics = metrics;
    this.#families = FAMILIES[cidr === undefined ? 'nodeport' : 'clusterip'];
    this.#labels = cidr === undefined ? [] : [cidr];
    metrics.collect(this.#families.taken, () => [[this.#labels, taken()]]);
    metrics.collect(this.#families.free, () => [[this.#labels, size - taken()]]);
  }

  /** Counts an allocation or a failed one. @param scope whether the client asked for a certain value */
  countAllocation(scope: 'static' | 'dynamic', isGiven: boolean): void {
    const { allocations, errors } = this.#families;
    this.#metrics.add(isGiven ? allocations : errors, [...this.#labels, scope]);
  }
}
