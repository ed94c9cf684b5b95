import { isAlreadyExists, isNotFound } from '../../meta/api-error.js';
import { groupOf } from '../../meta/dialect.js';
import type { Lease } from '../../resources/coordination/index.js';
import { lease } from '../../resources/coordination/index.js';
import type { ControllerContext } from '../controller.js';
import { unless } from '../unless.js';

const NAMESPACE = 'kube-system';
/** Milliseconds between the renewals of a server's Lease. */
export const HEARTBEAT = 10_000;
/** Milliseconds without a renewal after which a server counts as stopped. */
const LEASE_DURATION = 30_000;

/**
 * Determines the addresses of the running servers on one storage. A server keeps a Lease only while another server is running. The renewal
 * times in Leases are not compared with the local clock; only the time at which this server observes a renewal counts.
 */
export class LivingServers {
  readonly #context: ControllerContext;
  readonly #own: string;
  /** The last observed renewal time of each other server, and when this server first observed that renewal. */
  readonly #seen = new Map<string, { readonly renewal: string; readonly since: number }>();
  #renewed = Number.NEGATIVE_INFINITY;

  constructor(context: ControllerContext, own: string) {
    this.#context = context;
    this.#own = own;
  }

  /** Returns the sorted addresses of the running servers, including this one. Renews this server's Lease when there are other servers. */
  async keep(addresses: readonly string[]): Promise<readonly string[]> {
    const { dialect, lister, clock } = this.#context.host;
    const leases = lister<Lease>(groupOf(dialect, 'coordination'), 'leases');
    const now = clock.now();
    const others = addresses.filter((address) => address !== this.#own);
    for (const known of this.#seen.keys()) if (!others.includes(known)) this.#seen.delete(known);
    const living = others.filter((address) => {
      const renewal = leases.get(NAMESPACE, nameOf(address))?.spec?.renewTime ?? '';
      const seen = this.#seen.get(address);
      if (seen?.renewal !== renewal) this.#seen.set(address, { renewal, since: now });
      return now - (this.#seen.get(address)?.since ?? now) < LEASE_DURATION;
    });
    for (const address of others) if (!living.includes(address)) await this.#remove(address);
    if (living.length > 0) await this.#renew(leases.get(NAMESPACE, nameOf(this.#own)), now);
    return [...new Set([...living, this.#own])].sort();
  }

  async #renew(current: Lease | undefined, now: number): Promise<void> {
    if (current && now - this.#renewed < HEARTBEAT) return;
    this.#renewed = now;
    const { client } = this.#context;
    const spec = {
      holderIdentity: this.#own,
      leaseDurationSeconds: LEASE_DURATION / 1000,
      renewTime: new Date(now).toISOString().replace('Z', '000Z'),
    };
    if (current) await client.replace(lease, { ...current, spec }).catch(unless(isNotFound));
    else {
      const metadata = { name: nameOf(this.#own), namespace: NAMESPACE };
      await client.create(lease, { metadata, spec }).catch(unless(isAlreadyExists));
    }
  }

  async #remove(address: string): Promise<void> {
    await this.#context.client.delete(lease, nameOf(address), { namespace: NAMESPACE }).catch(unless(isNotFound));
  }
}

/** Returns the name of the Lease for an address. Colons of IPv6 addresses are replaced, because names must not contain them. */
const nameOf = (address: string): string => `apiserver-${address.replaceAll(':', '-').replace(/-$/, '-0')}`;
