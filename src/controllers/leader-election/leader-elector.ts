import type { Client } from '../../client/client.js';
import { isAlreadyExists, isConflict, isNotFound } from '../../meta/api-error.js';
import { formatMicroTime, reading, sleep } from '../../meta/clock.js';
import { groupOf } from '../../meta/dialect.js';
import type { Host } from '../../meta/host.js';
import { randomBelow } from '../../meta/random.js';
import { gauge } from '../../metrics/families.js';
import type { Lease } from '../../resources/coordination/index.js';
import { lease } from '../../resources/coordination/index.js';
import { messageOf } from '../../values/message-of.js';
import { unless } from '../unless.js';
import { JITTER_FACTOR, type LeaderElectionOptions } from './election-options.js';
import { LeaderTerm } from './leader-term.js';

export interface LeaderElectorOptions {
  readonly host: Host;
  /** The client for the Lease. Unlike the clients of the controllers, it can also write while this server is not the leader. */
  readonly client: Client;
  readonly settings: Required<LeaderElectionOptions>;
  /** The identity that distinguishes this server from all others, and from its own earlier runs. */
  readonly identity: string;
  /** The storage key of the Lease. */
  readonly leaseKey: string;
  /** Called when this server becomes the leader. */
  readonly began: (term: LeaderTerm) => void;
  /** Called when the term is over. The controllers that were started for the term must stop at once. */
  readonly ended: (reason: string) => void;
}

const master = gauge(
  'leader_election_master_status',
  "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master. 'name' is the string used to identify the lease. Please make sure to group by name.",
  ['name'],
);

/** The maximum time that {@link LeaderElector.close} waits for the release of the Lease, in milliseconds. */
const RELEASE_TIMEOUT = 2_000;
/** The number of different values that the random jitter can have. */
const STEPS = 1_000;

/**
 * Takes part in an election through a Lease, as client-go does. A candidate acquires the Lease when the Lease has not changed for its
 * `leaseDurationSeconds`. The candidate measures this with its own clock from the moment it observed the last change. Clocks of servers may
 * differ, because times that other servers wrote are not used (spec 16.1).
 */
export class LeaderElector {
  readonly #options: LeaderElectorOptions;
  /** The last observed version of the Lease, and when this server first observed that version. */
  #observed: { readonly version: string; readonly since: number; readonly seconds: number } | undefined;
  #term: LeaderTerm | undefined;
  /** The Lease as this server last wrote it. */
  #written: Lease | undefined;
  #attempt: Promise<void> | undefined;
  #cancelRetry = () => {};
  #cancelDeadline = () => {};
  #stopFollowing = () => {};
  /**
   * Whether the Lease was released during an attempt. The attempt may have read the Lease before its release, so another attempt follows at
   * once.
   */
  #wasFreed = false;
  #lastProblem: string | undefined;
  #isClosed = false;

  constructor(options: LeaderElectorOptions) {
    this.#options = options;
    const { host, settings } = options;
    host.metrics.collect(master, () => [[[settings.resourceName], this.#term === undefined ? 0 : 1]]);
  }

  get isLeader(): boolean {
    return this.#term !== undefined;
  }

  /** Starts to take part until {@link close}. Resolves after the first attempt to acquire the Lease. */
  async start(): Promise<void> {
    this.#stopFollowing = this.#leases.onChange((next, previous) => {
      const { name, namespace } = (next ?? previous)?.metadata ?? {};
      const { resourceName, resourceNamespace } = this.#options.settings;
      if (name === resourceName && namespace === resourceNamespace) this.#changed(next?.spec.holderIdentity ?? '');
    });
    await this.#try();
  }

  /** Stops taking part. A leader releases the Lease, so that another server can acquire it at once. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopFollowing();
    this.#cancelRetry();
    const wasLeader = this.#term !== undefined;
    this.#lose('the server ends');
    const finished = new AbortController();
    const released = (async () => {
      await this.#attempt;
      if (wasLeader) await this.#release();
    })().finally(() => finished.abort());
    await Promise.race([
      released,
      sleep(this.#options.host.clock, RELEASE_TIMEOUT, finished.signal, 'release of the lease'),
    ]);
  }

  get #leases() {
    const { lister, dialect } = this.#options.host;
    return lister<Lease>(groupOf(dialect, 'coordination'), 'leases');
  }

  /** Handles a change of the Lease by this server or any other client. */
  #changed(holder: string): void {
    if (this.#term !== undefined && holder !== this.#options.identity) this.#lose(`the lease is held by "${holder}"`);
    if (this.#term !== undefined || holder !== '' || this.#isClosed) return;
    this.#wasFreed = this.#attempt !== undefined;
    void this.#try();
  }

  /** Tries to acquire or renew the Lease and schedules the next attempt. Attempts do not overlap. */
  #try(): Promise<void> {
    this.#cancelRetry();
    this.#attempt ??= this.#tryOnce().finally(() => {
      this.#attempt = undefined;
      if (this.#isClosed) return;
      const { host, settings } = this.#options;
      const jitter = this.#term === undefined ? (JITTER_FACTOR * randomBelow(host.random, STEPS)) / STEPS : 0;
      const pause = this.#wasFreed && this.#term === undefined ? 0 : settings.retryPeriod * (1 + jitter);
      this.#wasFreed = false;
      this.#cancelRetry = host.clock.setTimer(() => void this.#try(), pause, false, 'next try of the leader election');
    });
    return this.#attempt;
  }

  async #tryOnce(): Promise<void> {
    const { host, settings } = this.#options;
    const began = reading(host.clock);
    try {
      const written = await this.#acquireOrRenew();
      this.#lastProblem = undefined;
      if (written === undefined) return;
      this.#written = written;
      // The term is measured from the start of the attempt, because the response may have taken long. A response after the deadline has no
      // effect.
      if (!this.#isClosed) this.#lead(began + settings.renewDeadline);
    } catch (error) {
      const problem = messageOf(error);
      if (problem !== this.#lastProblem) host.log(`leader election: the lease cannot be read or written: ${problem}`);
      this.#lastProblem = problem;
    }
  }

  /** Acquires or renews the Lease. @returns the written Lease; undefined when another server holds it. */
  async #acquireOrRenew(): Promise<Lease | undefined> {
    const { client, identity, settings, host } = this.#options;
    const { resourceName: name, resourceNamespace: namespace } = settings;
    const current = await client.get(lease, name, { namespace }).catch(unless(isNotFound));
    const now = formatMicroTime(host.clock.now());
    const record = {
      holderIdentity: identity,
      leaseDurationSeconds: Math.floor(settings.leaseDuration / 1_000),
      renewTime: now,
    };
    if (!current) {
      const spec = { ...record, acquireTime: now, leaseTransitions: 0 };
      return await client.create(lease, { metadata: { name, namespace }, spec }).catch(unless(isAlreadyExists));
    }
    this.#observe(current);
    const { spec } = current;
    const holder = spec.holderIdentity ?? '';
    if (holder !== identity) {
      if (this.#term !== undefined) this.#lose(`the lease is held by "${holder}"`);
      if (holder !== '' && this.#isValid()) return undefined;
    }
    const kept =
      holder === identity
        ? { acquireTime: spec.acquireTime ?? now, leaseTransitions: spec.leaseTransitions ?? 0 }
        : { acquireTime: now, leaseTransitions: (spec.leaseTransitions ?? 0) + 1 };
    return await client.replace(lease, { ...current, spec: { ...spec, ...record, ...kept } }).catch(unless(isConflict));
  }

  #observe({ metadata, spec }: Lease): void {
    const version = `${metadata.uid}/${metadata.resourceVersion}`;
    if (version === this.#observed?.version) return;
    const seconds = spec.leaseDurationSeconds ?? this.#options.settings.leaseDuration / 1_000;
    this.#observed = { version, since: reading(this.#options.host.clock), seconds };
  }

  /** Returns whether the observed Lease has not run out, so that its holder may still be the leader. */
  #isValid(): boolean {
    const { since, seconds } = this.#observed ?? { since: 0, seconds: 0 };
    const age = reading(this.#options.host.clock) - since;
    return age < seconds * 1_000;
  }

  /** Begins a term, or extends the current one. @param until the reading of the clock at which the term ends */
  #lead(until: number): void {
    const { host, identity, leaseKey, settings, began } = this.#options;
    const { clock } = host;
    if (reading(clock) >= until) return;
    this.#cancelDeadline();
    this.#cancelDeadline = clock.setTimer(
      () => this.#lose('it was not renewed in time'),
      until - reading(clock),
      false,
      'end of the term as leader',
    );
    if (this.#term !== undefined) {
      this.#term.renew(until);
      return;
    }
    const holder = () => this.#leases.get(settings.resourceNamespace, settings.resourceName)?.spec.holderIdentity;
    this.#term = new LeaderTerm({ clock, key: leaseKey, holder, identity }, until);
    began(this.#term);
  }

  #lose(reason: string): void {
    this.#cancelDeadline();
    const term = this.#term;
    if (term === undefined) return;
    this.#term = undefined;
    term.end();
    this.#options.ended(reason);
  }

  /**
   * Releases the Lease as client-go does. If the release fails, another server can acquire the Lease only after its duration has passed.
   */
  async #release(): Promise<void> {
    const { client, host } = this.#options;
    if (this.#written === undefined) return;
    const now = formatMicroTime(host.clock.now());
    const { spec } = this.#written;
    const released = { ...spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: now, acquireTime: now };
    try {
      await client.replace(lease, { ...this.#written, spec: released });
    } catch (error) {
      if (!isConflict(error)) host.log(`leader election: the lease could not be released: ${messageOf(error)}`);
    }
  }
}
