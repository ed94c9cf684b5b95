import type { AdmissionAttributes, AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { forbiddenRequest } from '../../admission/refusal.js';
import type { Dialect } from '../../meta/dialect.js';
import { readAnew } from '../../meta/host.js';
import { type Random, randomSuffix } from '../../meta/random.js';
import type { Container, Pod, PodSpec, ServiceAccount, Volume } from '../../resources/core/core-v1.types.js';
import { readBooleanText } from '../../values/boolean-text.js';
import { quote } from '../../values/quote.js';
import { referencesOf, secretsOfVolume } from '../pods/pod-references.js';

const MIRROR_ANNOTATION = 'config.mirror';
const EPHEMERAL = 'ephemeralcontainers';

/**
 * Sets the service account of every new pod, mounts a token of the account, and adds the account's image pull secrets. Refuses a pod whose
 * account does not exist, and a mirror pod (created by a node) that names an account or a secret. Pods of an account with the annotation
 * `enforce-mountable-secrets` may use only the secrets that the account lists.
 */
export const serviceAccountAdmission: AdmissionPluginFactory<Pod> = (host) => {
  const { dialect } = host;
  const accounts = host.lister<ServiceAccount>('', 'serviceaccounts');
  const mirror = `${dialect.labelDomain}/${MIRROR_ANNOTATION}`;
  const isMirror = ({ metadata }: Pod) => metadata.annotations?.[mirror] !== undefined;

  /** Returns the service account of this name. @throws ApiError 403 when it does not exist. */
  function accountOf(attributes: AdmissionAttributes, account: string): ServiceAccount {
    const { namespace } = attributes;
    const found = accounts.get(namespace, account);
    if (found) return found;
    const why = `error looking up service account ${namespace}/${account}: serviceaccount ${quote(account)} not found`;
    throw forbiddenRequest(attributes, why);
  }

  /**
   * Returns why a pod may not use its service account or its secrets; undefined when it may. @throws ApiError 403 when the account does not
   * exist.
   */
  function problemOf(attributes: AdmissionAttributes<Pod>, pod: Pod): string | undefined {
    const added = attributes.subresource === EPHEMERAL;
    if (!added && isMirror(pod)) return mirrorProblem(pod);
    const name = pod.spec.serviceAccountName ?? '';
    if (name === '') return `no service account specified for pod ${attributes.namespace}/${pod.metadata.name ?? ''}`;
    const account = accountOf(attributes, name);
    if (!enforcesMountableSecrets(account, dialect)) return undefined;
    return added ? unlistedInEphemeral(pod, account) : unlistedSecret(pod, account);
  }

  /**
   * Returns a new pod with its service account, token volume and image pull secrets. @throws ApiError 403 when the account does not exist
   * or the pod may not use it.
   */
  function admitPod(attributes: AdmissionAttributes<Pod>): Pod | undefined {
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
    const admitted = {
      ...pod,
      spec: {
        ...(automount ? withTokenVolume(spec, dialect, host.random) : spec),
        ...(pulls.length > 0 ? { imagePullSecrets: pulls } : {}),
      },
    };
    // A pod that its account forbids is refused before it is validated.
    refuse(attributes, problemOf(attributes, admitted));
    return admitted;
  }

  return {
    name: 'ServiceAccount',
    rules: [
      { operations: ['CREATE'], apiGroups: [''], resources: ['pods'] },
      { operations: ['UPDATE'], apiGroups: [''], resources: [`pods/${EPHEMERAL}`] },
    ],
    admit: (attributes) => readAnew(host, () => admitPod(attributes)),
    // Plug-ins that run later may have changed the pod, so it is checked again.
    validate: (attributes) => readAnew(host, () => refuse(attributes, problemOf(attributes, attributes.object))),
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

/** Refuses the request with the error message `problem`, if there is one. @throws ApiError 403 */
function refuse(attributes: AdmissionAttributes, problem: string | undefined): void {
  if (problem !== undefined) throw forbiddenRequest(attributes, problem);
}

/**
 * The lifetime of mounted tokens: an hour and seven seconds. Tokens of exactly this lifetime are recognized as mounted ones, which clients
 * are expected to renew.
 */
const SECONDS = 3607;
const MODE = 0o644;

/**
 * Returns the volume that a pod needs to call this server: a token of its service account, the server's CA certificate, and the pod's
 * namespace.
 */
const tokenVolume = (name: string, dialect: Dialect): Volume => ({
  name,
  projected: {
    defaultMode: MODE,
    sources: [
      { serviceAccountToken: { expirationSeconds: SECONDS, path: 'token' } },
      { configMap: { name: dialect.rootCaConfigMap, items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
  },
});

/** Mounts the token volume in all containers of a pod that have no mount at its path. */
function withTokenVolume(spec: PodSpec, dialect: Dialect, random: Random): PodSpec {
  const prefix = `${dialect.componentPrefix}-api-access-`;
  const mountPath = `/var/run/secrets/${dialect.labelDomain}/serviceaccount`;
  const { volumes = [], containers, initContainers } = spec;
  const own = volumes.find(({ name }) => name.startsWith(prefix))?.name;
  const name = own ?? `${prefix}${randomSuffix(random)}`;
  const lacks = ({ volumeMounts = [] }: Container) => !volumeMounts.some((mount) => mount.mountPath === mountPath);
  const mount = { name, readOnly: true, mountPath };
  // Containers without other mounts share this list, because a pod can have very many containers.
  const alone = [mount];
  const withMount = (container: Container): Container => {
    const { volumeMounts } = container;
    return lacks(container)
      ? { ...container, volumeMounts: volumeMounts ? [...volumeMounts, mount] : alone }
      : container;
  };
  if (![...(initContainers ?? []), ...(containers ?? [])].some(lacks)) return spec;
  return {
    ...spec,
    ...(initContainers ? { initContainers: initContainers.map(withMount) } : {}),
    ...(containers ? { containers: containers.map(withMount) } : {}),
    ...(own === undefined ? { volumes: [...volumes, tokenVolume(name, dialect)] } : {}),
  };
}

const ANNOTATION = 'enforce-mountable-secrets';

const namesOf = (list: readonly { readonly name?: string }[] = []) => new Set(list.map(({ name = '' }) => name));

/** Returns whether pods of a service account may use only the secrets that the account lists. */
function enforcesMountableSecrets({ metadata }: ServiceAccount, { labelDomain }: Dialect): boolean {
  return readBooleanText(metadata.annotations?.[`${labelDomain}/${ANNOTATION}`] ?? '') === true;
}

/**
 * Returns an error message for the first secret that a new pod uses and its service account does not list; undefined when there is none.
 * Volumes of all source types are checked.
 */
export function unlistedSecret(pod: Pod, account: ServiceAccount): string | undefined {
  const { volumes = [], initContainers = [], imagePullSecrets = [] } = pod.spec;
  // The pod may not be valid yet, and the containers of a spec that is null are null.
  const containers = pod.spec.containers ?? [];
  const listed = namesOf(account.secrets);
  for (const secret of volumes.flatMap(secretsOfVolume))
    if (!listed.has(secret)) return `volume with ${refusal(secret, account)}`;
  const problem =
    unlistedInContainers('init container', initContainers, account, listed) ??
    unlistedInContainers('container', containers, account, listed);
  if (problem !== undefined) return problem;
  const pulled = namesOf(account.imagePullSecrets);
  const at = imagePullSecrets.findIndex(({ name = '' }) => !pulled.has(name));
  if (at < 0) return undefined;
  const { name = '' } = account.metadata;
  return `imagePullSecrets[${at}].name="${imagePullSecrets[at]?.name ?? ''}" is not allowed because service account ${name} does not reference that imagePullSecret`;
}

/** Returns the error message of {@link unlistedSecret} for the ephemeral containers of a pod. */
function unlistedInEphemeral({ spec }: Pod, account: ServiceAccount): string | undefined {
  return unlistedInContainers('ephemeral container', spec.ephemeralContainers ?? [], account, namesOf(account.secrets));
}

function unlistedInContainers(
  what: string,
  containers: readonly Container[],
  account: ServiceAccount,
  listed: ReadonlySet<string>,
): string | undefined {
  for (const { name, env, envFrom } of containers) {
    for (const variable of env ?? []) {
      const reference = variable.valueFrom?.secretKeyRef;
      if (reference && !listed.has(reference.name ?? ''))
        return `${what} ${name} with envVar ${variable.name} referencing ${refusal(reference.name, account)}`;
    }
    for (const { secretRef } of envFrom ?? [])
      if (secretRef && !listed.has(secretRef.name ?? ''))
        return `${what} ${name} with envFrom referencing ${refusal(secretRef.name, account)}`;
  }
  return undefined;
}

const refusal = (secret = '', { metadata }: ServiceAccount) =>
  `secret.secretName="${secret}" is not allowed because service account ${metadata.name ?? ''} does not reference that secret`;
