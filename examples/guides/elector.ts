import { type Client, type Clock, isAlreadyExists, isConflict, isNotFound } from 'orch-apiserver';
import { type Lease, lease } from 'orch-apiserver/kinds';

const where = { namespace: 'kube-system' };
const name = 'operator';
const DURATION = 15_000;

/** Takes part in an election with a Lease. Each call tries once to become or stay the leader, and returns whether it succeeded. */
export function elector(client: Client, identity: string, clock: Clock): () => Promise<boolean> {
  /** The last observed resourceVersion, and when it was observed. The times of other machines are not compared with the local clock. */
  let seen = { version: undefined as string | undefined, at: 0 };
  /** When this candidate last renewed the lease. */
  let renewed = Number.NEGATIVE_INFINITY;
  const time = () => new Date(clock.now()).toISOString().replace('Z', '000Z');
  const monotonic = () => clock.monotonic?.() ?? clock.now();

  async function attempt(): Promise<boolean> {
    const spec = { holderIdentity: identity, leaseDurationSeconds: DURATION / 1000, renewTime: time() };
    const current = await client.get(lease, name, where).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    const asked = monotonic();
    let written: Lease;
    if (!current) {
      written = await client.create(lease, { metadata: { name }, spec: { ...spec, acquireTime: time() } }, where);
    } else {
      const version = current.metadata.resourceVersion;
      const at = seen.version === version ? seen.at : asked;
      seen = { version, at };
      const isOurs = current.spec.holderIdentity === identity;
      if (!isOurs && asked - at < DURATION) return false;
      const taken = isOurs ? {} : { acquireTime: time(), leaseTransitions: (current.spec.leaseTransitions ?? 0) + 1 };
      // The update contains the resourceVersion, so one of two simultaneous attempts is refused.
      written = await client.replace(lease, { ...current, spec: { ...current.spec, ...spec, ...taken } }, where);
    }
    seen = { version: written.metadata.resourceVersion, at: asked };
    renewed = asked;
    return true;
  }

  return async () => {
    try {
      return await attempt();
    } catch (error) {
      if (isConflict(error) || isAlreadyExists(error)) return false;
      // The lease is unknown. Its holder keeps leading for two thirds of its duration, and no other candidate can take it earlier.
      return monotonic() - renewed < (DURATION * 2) / 3;
    }
  };
}
