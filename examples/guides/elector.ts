import { type Client, type Clock, isAlreadyExists, isConflict, isNotFound } from 'orch-apiserver';
import { type Lease, lease } from 'orch-apiserver/kinds';

const where = { namespace: 'kube-system' };
const name = 'operator';
const DURATION = 15_000;

/** Takes part in an election by a Lease; each call tries once to become or to stay the leader, and says whether that holds. */
export function elector(client: Client, identity: string, clock: Clock): () => Promise<boolean> {
  /** The version that was seen last, and when: times of other machines are not compared with one's own. */
  let seen = { version: undefined as string | undefined, at: 0 };
  /** When this one renewed it last. */
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
      // With its version: of two that try at once one is refused.
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
      // Nothing is known of the lease: whoever led still does for two thirds of its time, and nobody else can before its end.
      return monotonic() - renewed < (DURATION * 2) / 3;
    }
  };
}
