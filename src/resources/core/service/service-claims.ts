import type { Host, Lister } from '../../../meta/host.js';
import { counter, gauge } from '../../../metrics/families.js';
import type { MetricFamily, Metrics } from '../../../metrics/metrics.js';
import type { Claim } from '../../../registry/strategy.js';
import type { IpFamily } from '../../../values/ip-address.js';
import type { Service } from '../core-v1.types.js';
import { type AddressPool, addressKey, addressPool, type Pool, portKey, portPool } from './pools.js';
import { needsHealthPort } from './service-allocated-values.js';

/** Returns the keys of the addresses and ports that a service uses exclusively. */
function keysOf({ spec }: Service): readonly string[] {
  const { clusterIPs = [], ports = [], healthCheckNodePort: healthPort = 0 } = spec;
  const nodePorts = ports.flatMap(({ nodePort = 0 }) => (nodePort === 0 ? [] : [nodePort]));
  if (needsHealthPort(spec) && healthPort !== 0) nodePorts.push(healthPort);
  return [
    ...new Set([...clusterIPs.filter((address) => address !== 'None').map(addressKey), ...nodePorts.map(portKey)]),
  ];
}

/** Tracks the addresses and ports of services: those that stored services use, and those that pending writes hold. */
export class ServiceStock {
  /** Address pools by family, with the preferred family first. */
  readonly addresses: ReadonlyMap<IpFamily, AddressPool>;
  readonly defaultFamily: IpFamily;
  readonly ports: Pool<number>;
  readonly #host: Host;
  readonly #services: Lister<Service>;
  readonly #heldKeys = new Set<string>();
  readonly #meters: ReadonlyMap<object, AllocatorMeter>;

  /** @throws TypeError for a service network with an invalid range. */
  constructor(host: Host) {
    const { clusterIpRanges, nodePorts } = host.serviceNetwork;
    const pools = clusterIpRanges.map(addressPool);
    this.addresses = new Map(pools.map((pool) => [pool.family, pool]));
    this.defaultFamily = pools[0]?.family ?? 'IPv4';
    this.ports = portPool(nodePorts);
    this.#host = host;
    this.#services = host.lister<Service>('', 'services');
    const taken = (pool: AddressPool | undefined) => () => this.#countTaken(pool);
    this.#meters = new Map<object, AllocatorMeter>([
      ...pools.map((pool) => [pool, new AllocatorMeter(host.metrics, pool.cidr, pool.size, taken(pool))] as const),
      [this.ports, new AllocatorMeter(host.metrics, undefined, this.ports.size, taken(undefined))],
    ]);
  }

  meterOf(pool: object): AllocatorMeter | undefined {
    return this.#meters.get(pool);
  }

  /** Returns how many addresses of `pool` the stored services use; without `pool`, how many node ports they use. */
  #countTaken(pool: AddressPool | undefined): number {
    const keys = this.#services.list().flatMap(keysOf);
    if (!pool) return keys.filter((key) => key.startsWith('port:')).length;
    const addresses = this.#services.list().flatMap(({ spec }) => spec.clusterIPs ?? []);
    return addresses.filter((address) => address !== 'None' && pool.problemOf(address) === undefined).length;
  }

  isTaken(key: string): boolean {
    return this.#heldKeys.has(key) || this.isStored(key);
  }

  /** Whether a stored service uses the address or port with this key. */
  isStored(key: string): boolean {
    for (const _ of this.#services.byIndex(keysOf, key)) return true;
    return false;
  }

  /** Iterates over the free addresses or ports of a pool in random order. */
  free<V extends string | number>(pool: Pool<V>): Iterator<V> {
    return pool.free(this.#host.random, (key) => this.isTaken(key));
  }

  hold(key: string): void {
    this.#heldKeys.add(key);
  }

  release(key: string): void {
    this.#heldKeys.delete(key);
  }
}

/** The addresses and ports that one write allocates. */
export interface ServiceClaim extends Claim {
  readonly stock: ServiceStock;
  /** Allocates the given value. Returns why it cannot be allocated, or undefined when it was allocated. */
  take<V extends string | number>(pool: Pool<V>, value: V): string | undefined;
  /** Allocates any free address; undefined when the pool is exhausted. */
  takeAddress(pool: AddressPool): string | undefined;
  /** Allocates any free port; undefined when the pool is exhausted. */
  takePort(): number | undefined;
}

const takenProblem = (value: string | number): string =>
  `provided ${typeof value === 'number' ? 'port' : 'IP'} is already allocated`;

/** Creates the {@link ServiceClaim} of one write, which keeps the allocated addresses and ports reserved until the write ends. */
export function claimOf(stock: ServiceStock): ServiceClaim {
  const keys: string[] = [];
  const hold = (key: string) => {
    stock.hold(key);
    keys.push(key);
  };
  const takeFirst = <V extends string | number>(pool: Pool<V>, free: Iterator<V>): V | undefined => {
    const { value, done } = free.next();
    stock.meterOf(pool)?.countAllocation('dynamic', done !== true);
    if (done) return undefined;
    hold(pool.keyOf(value));
    return value;
  };
  // All ports of the write share one iterator, so that each taken port is visited at most once.
  let freePorts: Iterator<number> | undefined;
  return {
    stock,
    take(pool, value) {
      const key = pool.keyOf(value);
      const problem = pool.problemOf(value) ?? (stock.isTaken(key) ? takenProblem(value) : undefined);
      stock.meterOf(pool)?.countAllocation('static', problem === undefined);
      if (problem === undefined) hold(key);
      return problem;
    },
    takeAddress: (pool) => takeFirst(pool, stock.free(pool)),
    takePort: () => takeFirst(stock.ports, (freePorts ??= stock.free(stock.ports))),
    isStillFree: () => !keys.some((key) => stock.isStored(key)),
    end() {
      for (const key of keys.splice(0)) stock.release(key);
    },
  };
}

/** The port numbers that dry runs invent are greater than this one. */
const BEFORE_MADE_UP = 32_768;

/**
 * Creates the {@link ServiceClaim} of a dry run. It reserves nothing, and it accepts every address of a range even if the address is taken.
 * It accepts every port that is not taken, even if the port is outside the range.
 */
export function dryRunClaim(stock: ServiceStock): ServiceClaim {
  const ports = new Set<number>();
  let last = 0;
  const use = (port: number) => {
    ports.add(port);
    last = Math.max(last, port);
    return port;
  };
  return {
    stock,
    take(pool, value) {
      if (typeof value === 'string') return pool.problemOf(value);
      if (ports.has(value) || stock.isTaken(portKey(value))) return takenProblem(value);
      use(value);
      return undefined;
    },
    takeAddress: ({ placeholder }) => placeholder,
    takePort: () => use((ports.size === 0 ? BEFORE_MADE_UP : last) + 1),
    isStillFree: () => true,
    end() {},
  };
}

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

/** Records the allocation metrics of one pool. */
class AllocatorMeter {
  readonly #metrics: Metrics;
  readonly #families: AllocatorFamilies;
  readonly #labels: readonly string[];

  /**
   * @param cidr the range of addresses; undefined for ports.
   * @param size the number of addresses or ports in the pool.
   * @param taken returns how many of them are in use.
   */
  constructor(metrics: Metrics, cidr: string | undefined, size: number, taken: () => number) {
    this.#metrics = metrics;
    this.#families = FAMILIES[cidr === undefined ? 'nodeport' : 'clusterip'];
    this.#labels = cidr === undefined ? [] : [cidr];
    metrics.collect(this.#families.taken, () => [[this.#labels, taken()]]);
    metrics.collect(this.#families.free, () => [[this.#labels, size - taken()]]);
  }

  /** Counts a successful or a failed allocation. @param scope `static` if the client requested a specific value */
  countAllocation(scope: 'static' | 'dynamic', isGiven: boolean): void {
    const { allocations, errors } = this.#families;
    this.#metrics.add(isGiven ? allocations : errors, [...this.#labels, scope]);
  }
}
