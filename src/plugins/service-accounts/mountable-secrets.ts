import type { Dialect } from '../../meta/dialect.js';
import type { Container, Pod, ServiceAccount } from '../../resources/core/core-v1.types.js';
import { readBooleanText } from '../../values/boolean-text.js';
import { secretsOfVolume } from '../pods/pod-references.js';

const ANNOTATION = 'enforce-mountable-secrets';

const namesOf = (list: readonly { readonly name?: string }[] = []) => new Set(list.map(({ name = '' }) => name));

/** Returns whether pods of an account may use only the secrets that the account lists. */
export function enforcesMountableSecrets({ metadata }: ServiceAccount, { labelDomain }: Dialect): boolean {
  return readBooleanText(metadata.annotations?.[`${labelDomain}/${ANNOTATION}`] ?? '') === true;
}

/**
 * Returns a message about a secret that a new pod uses and its account does not list; undefined when there is none. Secrets of all volume
 * sources count.
 */
export function unlistedSecret(pod: Pod, account: ServiceAccount): string | undefined {
  const { volumes = [], initContainers = [], containers = [], imagePullSecrets = [] } = pod.spec;
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

/** Returns the same message for the ephemeral containers that are added to a running pod. */
export function unlistedInEphemeral({ spec }: Pod, account: ServiceAccount): string | undefined {
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
