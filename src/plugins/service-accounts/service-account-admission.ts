import type { AdmissionAttributes } from '../../admission/admission-plugin.js';
import { forbiddenRequest } from '../../admission/refusal.js';
import { ruledPlugin } from '../../admission/ruled-plugin.js';
import { awaitedTimer, systemClock } from '../../meta/clock.js';
import type { Dialect } from '../../meta/dialect.js';
import { type Random, randomSuffix } from '../../meta/random.js';
import type { Container, Pod, PodSpec, ServiceAccount, Volume } from '../../resources/core/core-v1.types.js';
import { withMember } from '../../schema/json-objects.js';
import { readBooleanText } from '../../values/boolean-text.js';
import { quote } from '../../values/quote.js';
import { referencesOf, secretsOfVolume } from '../pods/pod-references.js';

const MIRROR_ANNOTATION = 'config.mirror';
const EPHEMERAL = 'ephemeralcontainers';

/** The account of pods that name none. The controller {@link CREATOR} creates it in every namespace. */
const DEFAULT = 'default';
const CREATOR = 'service-account-controller';

/**
 * The milliseconds to wait for the account `default` of a new namespace. Upstream looks for it ten times, with pauses of 100 to 200
 * milliseconds.
 */
const ACCOUNT_TIMEOUT = 1_000;

/**
 * Sets the service account of every new pod, mounts a token of the account, and adds the account's image pull secrets. Refuses a pod whose
 * account does not exist, and a mirror pod (created by a node) that names an account or a secret. Pods of an account with the annotation
 * `enforce-mountable-secrets` may use only the secrets that the account lists.
 */
export const serviceAccountAdmission = ruledPlugin<Pod>({
  name: 'ServiceAccount',
  rules: [
    { operations: ['CREATE'], apiGroups: [''], resources: ['pods'] },
    { operations: ['UPDATE'], apiGroups: [''], resources: [`pods/${EPHEMERAL}`] },
  ],
  create(host) {
    const { dialect } = host;
    const accounts = host.lister<ServiceAccount>('', 'serviceaccounts');
    const mirror = `${dialect.labelDomain}/${MIRROR_ANNOTATION}`;
    const isMirror = ({ metadata }: Pod) => metadata.annotations?.[mirror] !== undefined;

    /** Passes the service account of this name to `use`. @throws ApiError 403 when the account does not exist. */
    function withAccount<R>(attributes: AdmissionAttributes, name: string, use: (account: ServiceAccount) => R) {
      const account = accounts.get(attributes.namespace, name);
      return account ? use(account) : waitForAccount(attributes, name).then(use);
    }

    /** Returns a service account that this server has not seen yet. @throws ApiError 403 when the account does not exist. */
    async function waitForAccount(attributes: AdmissionAttributes, name: string): Promise<ServiceAccount> {
      const { namespace } = attributes;
      await host.catchUp?.();
      let found = accounts.get(namespace, name);
      if (!found && name === DEFAULT && host.runsController(CREATOR)) {
        await untilCreated(namespace, Math.min(ACCOUNT_TIMEOUT, attributes.remaining?.() ?? ACCOUNT_TIMEOUT));
        found = accounts.get(namespace, name);
      }
      if (found) return found;
      const why = `error looking up service account ${namespace}/${name}: serviceaccount ${quote(name)} not found`;
      throw forbiddenRequest(attributes, why);
    }

    /** Resolves when the account `default` of a namespace is created, or after some milliseconds of the machine's clock. */
    function untilCreated(namespace: string, milliseconds: number): Promise<void> {
      return new Promise((resolve) => {
        const end = () => {
          cancel();
          stop();
          resolve();
        };
        // The server's clock may not advance while the controller runs, so the machine's clock limits the wait.
        const cancel = awaitedTimer(systemClock, end, milliseconds);
        const stop = accounts.onChange((account) => {
          if (account?.metadata.name === DEFAULT && account.metadata.namespace === namespace) end();
        });
      });
    }

    /** Refuses a pod that may not use its service account or its secrets. @throws ApiError 403 */
    function checkPod(attributes: AdmissionAttributes<Pod>): void | Promise<void> {
      const { object: pod } = attributes;
      if (attributes.subresource !== EPHEMERAL && isMirror(pod)) return refuse(attributes, mirrorProblem(pod));
      const name = pod.spec.serviceAccountName ?? '';
      if (name === '')
        return refuse(
          attributes,
          `no service account specified for pod ${attributes.namespace}/${pod.metadata.name ?? ''}`,
        );
      return withAccount(attributes, name, (account) => checkSecrets(attributes, pod, account));
    }

    /** Refuses a pod with secrets that its account does not list, if the account limits them. @throws ApiError 403 */
    function checkSecrets(attributes: AdmissionAttributes, pod: Pod, account: ServiceAccount): void {
      if (!enforcesMountableSecrets(account, dialect)) return;
      const added = attributes.subresource === EPHEMERAL;
      refuse(attributes, added ? unlistedInEphemeral(pod, account) : unlistedSecret(pod, account));
    }

    /**
     * Returns a new pod with its service account, token volume and image pull secrets. @throws ApiError 403 when the account does not exist
     * or the pod may not use it.
     */
    function admitPod(attributes: AdmissionAttributes<Pod>): Pod | undefined | Promise<Pod> {
      const { object: pod } = attributes;
      if (attributes.operation !== 'CREATE') return undefined;
      if (isMirror(pod)) {
        refuse(attributes, mirrorProblem(pod));
        return undefined;
      }
      const name = pod.spec.serviceAccountName || DEFAULT;
      return withAccount(attributes, name, (account) => podOf(attributes, name, account));
    }

    function podOf(attributes: AdmissionAttributes<Pod>, name: string, account: ServiceAccount): Pod {
      const { object: pod } = attributes;
      let spec = withMember(withMember(pod.spec, 'serviceAccountName', name), 'serviceAccount', name);
      const automount = spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
      if (automount) spec = withTokenVolume(spec, dialect, host.random);
      const { imagePullSecrets = [] } = account;
      if ((spec.imagePullSecrets ?? []).length === 0 && imagePullSecrets.length > 0)
        spec = withMember(spec, 'imagePullSecrets', imagePullSecrets);
      const admitted = withMember(pod, 'spec', spec);
      // A pod that its account forbids is refused before it is validated.
      checkSecrets(attributes, admitted, account);
      return admitted;
    }

    return {
      admit: admitPod,
      // Plug-ins that run later may have changed the pod, so it is checked again.
      validate: checkPod,
    };
  },
});

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
    if (!lacks(container)) return container;
    return withMember(container, 'volumeMounts', volumeMounts ? [...volumeMounts, mount] : alone);
  };
  if (![...(initContainers ?? []), ...(containers ?? [])].some(lacks)) return spec;
  let result = spec;
  if (initContainers) result = withMember(result, 'initContainers', initContainers.map(withMount));
  if (containers) result = withMember(result, 'containers', containers.map(withMount));
  return own === undefined ? withMember(result, 'volumes', [...volumes, tokenVolume(name, dialect)]) : result;
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
