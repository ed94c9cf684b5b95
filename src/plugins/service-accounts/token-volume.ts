import type { Dialect } from '../../meta/dialect.js';
import { type Random, randomSuffix } from '../../meta/random.js';
import type { Container, PodSpec, Volume } from '../../resources/core/core-v1.types.js';

/** An hour and seven seconds. The unusual lifetime marks tokens that clients are expected to renew in time. */
const SECONDS = 3607;
const MODE = 0o644;

/**
 * Returns the volume with which a pod can call this server: a token of its account, the server's certificate authority, and the pod's
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

/** Mounts a token in all containers of a pod that have no other mount at its path. */
export function withTokenVolume(spec: PodSpec, dialect: Dialect, random: Random): PodSpec {
  const prefix = `${dialect.componentPrefix}-api-access-`;
  const mountPath = `/var/run/secrets/${dialect.labelDomain}/serviceaccount`;
  const { volumes = [], containers, initContainers } = spec;
  const own = volumes.find(({ name }) => name.startsWith(prefix))?.name;
  const name = own ?? `${prefix}${randomSuffix(random)}`;
  const lacks = ({ volumeMounts = [] }: Container) => !volumeMounts.some((mount) => mount.mountPath === mountPath);
  const mount = { name, readOnly: true, mountPath };
  const alone = [mount]; // shared, because a pod can have very many containers
  const mounted = (container: Container): Container => {
    const { volumeMounts } = container;
    return lacks(container)
      ? { ...container, volumeMounts: volumeMounts ? [...volumeMounts, mount] : alone }
      : container;
  };
  if (![...(initContainers ?? []), ...(containers ?? [])].some(lacks)) return spec;
  return {
    ...spec,
    ...(initContainers ? { initContainers: initContainers.map(mounted) } : {}),
    ...(containers ? { containers: containers.map(mounted) } : {}),
    ...(own === undefined ? { volumes: [...volumes, tokenVolume(name, dialect)] } : {}),
  };
}
