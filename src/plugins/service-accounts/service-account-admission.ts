import type { AdmissionAttributes, AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { apiError } from '../../meta/api-error.js';
import { readAnew } from '../../meta/host.js';
import type { Pod, ServiceAccount } from '../../resources/core/core-v1.types.js';
import { quote } from '../../values/quote.js';
import { referencesOf } from '../pods/pod-references.js';
import { enforcesMountableSecrets, unlistedInEphemeral, unlistedSecret } from './mountable-secrets.js';
import { withTokenVolume } from './token-volume.js';

const PODS = { group: '', resource: 'pods' } as const;
const MIRROR_ANNOTATION = 'config.mirror';
const EPHEMERAL = 'ephemeralcontainers';

/**
 * Gives every new pod an account, the account's token and its image pull secrets, and refuses a pod whose account does not exist. A mirror
 * pod, which a node creates, must not name an account or a secret. If an account enforces it, its pods may use only the secrets that it
 * lists.
 */
export const serviceAccountAdmission: AdmissionPluginFactory<Pod> = (host) => {
  const { dialect } = host;
  const accounts = host.lister<ServiceAccount>('', 'serviceaccounts');
  const mirror = `${dialect.labelDomain}/${MIRROR_ANNOTATION}`;
  const isMirror = ({ metadata }: Pod) => metadata.annotations?.[mirror] !== undefined;

  /** Returns an account. @throws ApiError 403 when it does not exist. */
  function accountOf({ namespace, name }: AdmissionAttributes, account: string): ServiceAccount {
    const found = accounts.get(namespace, account);
    if (found) return found;
    const why = `error looking up service account ${namespace}/${account}: serviceaccount ${quote(account)} not found`;
    throw apiError.forbidden(PODS, name, why);
  }

  /** Returns why a pod may not use its account or its secrets. @throws ApiError 403 when the account does not exist. */
  function problemOf(attributes: AdmissionAttributes<Pod>): string | undefined {
    const { object: pod } = attributes;
    const added = attributes.subresource === EPHEMERAL;
    if (!added && isMirror(pod)) return mirrorProblem(pod);
    const name = pod.spec.serviceAccountName ?? '';
    if (name === '') return `no service account specified for pod ${attributes.namespace}/${pod.metadata.name ?? ''}`;
    const account = accountOf(attributes, name);
    if (!enforcesMountableSecrets(account, dialect)) return undefined;
    return added ? unlistedInEphemeral(pod, account) : unlistedSecret(pod, account);
  }

  /** Returns a new pod with its account and its token. @throws ApiError 403 when the account does not exist. */
  function admitted(attributes: AdmissionAttributes<Pod>): Pod | undefined {
    const { object: pod } = attributes;
    if (attributes.operation !== 'CREATE') return undefined;
    if (isMirror(pod)) {
      refuse(attributes, mirrorProblem(pod));
      return undefined;
    }
    const name = pod.spec.serviceAccountName || 'default';
    const account = accountOf(attributes, name);
    const spec = { ...pod.spec, serviceAccountName: name, serviceAccount: name };
    const automount = spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
    const { imagePullSecrets = [] } = spec;
    const pulls = imagePullSecrets.length > 0 ? imagePullSecrets : (account.imagePullSecrets ?? []);
    return {
      ...pod,
      spec: {
        ...(automount ? withTokenVolume(spec, dialect, host.random) : spec),
        ...(pulls.length > 0 ? { imagePullSecrets: pulls } : {}),
      },
    };
  }

  return {
    name: 'ServiceAccount',
    rules: [
      { operations: ['CREATE'], apiGroups: [''], resources: ['pods'] },
      { operations: ['UPDATE'], apiGroups: [''], resources: [`pods/${EPHEMERAL}`] },
    ],
    admit: (attributes) => readAnew(host, () => admitted(attributes)),
    // The check covers changes that later plug-ins made to the pod.
    validate: (attributes) => readAnew(host, () => refuse(attributes, problemOf(attributes))),
  };
};

function mirrorProblem(pod: Pod): string | undefined {
  if ((pod.spec.serviceAccountName ?? '') !== '') return 'a mirror pod may not reference service accounts';
  if (referencesOf(pod).some(({ kind }) => kind === 'secret')) return 'a mirror pod may not reference secrets';
  const projections = (pod.spec.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  return projections.some(({ serviceAccountToken }) => serviceAccountToken)
    ? 'a mirror pod may not use ServiceAccountToken volume projections'
    : undefined;
}

/** @throws ApiError 403 when there is a problem. */
function refuse({ name }: AdmissionAttributes, problem: string | undefined): void {
  if (problem !== undefined) throw apiError.forbidden(PODS, name, problem);
}
