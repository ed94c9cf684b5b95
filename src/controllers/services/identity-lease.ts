import { isAlreadyExists, isConflict, isNotFound } from '../../meta/api-error.js';
import { formatMicroTime } from '../../meta/clock.js';
import { type Dialect, domainName } from '../../meta/dialect.js';
import { labelValue } from '../../meta/names.js';
import { randomUuid } from '../../meta/random.js';
import { lease } from '../../resources/coordination/index.js';
import { sha256 } from '../../signatures/digest.js';
import {
  type ControllerContext,
  type ControllerDefinition,
  type ControllerHost,
  listerOf,
  servedAs,
} from '../controller.js';
import { seedsOf } from '../seed.js';
import { unless } from '../unless.js';

const NAMESPACE = 'kube-system';
/** The duration of a lease in seconds. */
const DURATION = 3600;
/** Milliseconds between renewals of this server's Lease, and between searches for Leases of servers that no longer run. */
const RENEWAL = 10_000;
const COLLECTION = 3_600_000;

/**
 * Keeps a Lease for this server, with a name derived from its host name. Deletes Leases that other servers have not renewed within the
 * lease duration.
 */
export const identityLease: ControllerDefinition = {
  name: 'identity-lease',
  ofServer: true,
  async seeds(host) {
    return host.gates.APIServerIdentity ? [seedsOf(lease, [await leaseOf(host)])] : [];
  },
  follow({ host, queue }) {
    if (servedAs(host, lease) && host.gates.APIServerIdentity) for (const key of ['renew', 'collect']) queue.add(key);
  },
  reconcile: (key, context) => (key === 'renew' ? renew(context) : collect(context)),
};

const label = (dialect: Dialect): string => `apiserver.${domainName(dialect, 'identity')}`;

async function renew({ host, client, queue }: ControllerContext): Promise<void> {
  const now = host.clock.now();
  const { name, labels } = await identityOf(host);
  const current = listerOf(host, lease).get(NAMESPACE, name);
  const age = now - Date.parse(current?.spec.renewTime ?? '');
  const isFresh = age >= 0 && age < RENEWAL;
  queue.addAfter('renew', isFresh ? RENEWAL - age : RENEWAL);
  if (isFresh) return;
  if (!current) return void (await client.create(lease, await leaseOf(host)).catch(unless(isAlreadyExists)));
  const { metadata, spec } = current;
  const next = {
    ...current,
    metadata: { ...metadata, labels: { ...metadata.labels, ...labels } },
    spec: { ...spec, renewTime: formatMicroTime(now) },
  };
  await client.replace(lease, next).catch(unless(isNotFound));
}

async function collect({ host, client, queue }: ControllerContext): Promise<void> {
  queue.addAfter('collect', COLLECTION);
  const now = host.clock.now();
  const { name: own } = await identityOf(host);
  for (const { metadata, spec } of listerOf(host, lease).list(NAMESPACE)) {
    if (metadata.name === own || metadata.labels?.[label(host.dialect)] !== host.dialect.apiServerName) continue;
    const { renewTime, leaseDurationSeconds } = spec;
    if (renewTime !== undefined && leaseDurationSeconds !== undefined)
      if (Date.parse(renewTime) + leaseDurationSeconds * 1000 >= now) continue;
    const { name = '', resourceVersion = '' } = metadata;
    const options = { namespace: NAMESPACE, preconditions: { resourceVersion } };
    await client.delete(lease, name, options).catch(unless(isNotFound, isConflict));
  }
}

async function leaseOf(host: ControllerHost) {
  const { name, labels } = await identityOf(host);
  return {
    metadata: { name, namespace: NAMESPACE, labels },
    spec: {
      holderIdentity: `${name}_${randomUuid(host.random)}`,
      leaseDurationSeconds: DURATION,
      renewTime: formatMicroTime(host.clock.now()),
    },
  };
}

/** The name and the labels of a server's Lease. */
interface Identity {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** The identity that was computed last. It is kept because the servers of a process usually have the same host name and API dialect. */
let latest: (Pick<ControllerHost, 'hostname' | 'dialect'> & Identity) | undefined;

async function identityOf({ hostname, dialect }: ControllerHost): Promise<Identity> {
  if (latest?.hostname === hostname && latest.dialect === dialect) return latest;
  const name = await makeName(hostname, dialect.apiServerName);
  // The label for the host name is left out when the host name is not a valid label value.
  const place = labelValue(hostname).length > 0 ? {} : { [domainName(dialect, 'hostname')]: hostname };
  const labels = Object.freeze({ [label(dialect)]: dialect.apiServerName, ...place });
  latest = { hostname, dialect, name, labels };
  return latest;
}

/**
 * Returns `apiserver-` and the first half of a SHA-256 digest in base32. The digest covers the host name and the name of the API server
 * (`kube-apiserver` in the k8s dialect), each preceded by its length in two bytes.
 */
async function makeName(hostname: string, server: string): Promise<string> {
  const encoder = new TextEncoder();
  const parts = [hostname, server].map((text) => encoder.encode(text));
  const bytes = parts.flatMap((part) => [part.length >> 8, part.length & 0xff, ...part]);
  const digest = await sha256(Uint8Array.from(bytes));
  return `apiserver-${base32(digest.subarray(0, 16))}`;
}

const DIGITS = 'abcdefghijklmnopqrstuvwxyz234567';

/** Encodes bytes as base32 without padding, in lower case. */
function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let count = 0;
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff;
    for (count += 8; count >= 5; count -= 5) text += DIGITS[(bits >> (count - 5)) & 31];
  }
  return count > 0 ? text + DIGITS[(bits << (5 - count)) & 31] : text;
}
