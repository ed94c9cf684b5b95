import type { Container } from '../../resources/core/core-v1.types.js';
import {
  type Check,
  containersWith,
  containerWords,
  contextOf,
  distinct,
  isSeccompProfile,
  joinQuoted,
  plural,
  type SecuredPod,
  setters,
} from './check.js';

const VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];
/** Volume types that messages show as `unknown`. */
const NAMELESS = new Set(['image']);
/** The first minor release that exempts Windows pods from rules about features that Windows lacks. */
const KNOWS_WINDOWS = 25;

const isWindows = ({ spec }: SecuredPod, release: number): boolean =>
  release >= KNOWS_WINDOWS && spec.os?.name === 'windows';

const allowPrivilegeEscalation: Check = {
  name: 'allowPrivilegeEscalation',
  since: 8,
  find(pod, release) {
    const bad = containersWith(pod, (container) => contextOf(container).allowPrivilegeEscalation !== false);
    if (bad.length === 0 || isWindows(pod, release)) return undefined;
    return {
      reason: 'allowPrivilegeEscalation != false',
      detail: `${containerWords(bad)} must set securityContext.allowPrivilegeEscalation=false`,
    };
  },
};

const capabilities: Check = {
  name: 'capabilities_restricted',
  since: 22,
  replaces: 'capabilities_baseline',
  find(pod, release) {
    if (isWindows(pod, release)) return undefined;
    const addedCapabilities = (container: Container) =>
      (contextOf(container).capabilities?.add ?? []).filter((name) => name !== 'NET_BIND_SERVICE');
    const keeping = containersWith(pod, (container) => !contextOf(container).capabilities?.drop?.includes('ALL'));
    const adding = containersWith(pod, (container) => addedCapabilities(container).length > 0);
    const details: string[] = [];
    if (keeping.length > 0)
      details.push(`${containerWords(keeping)} must set securityContext.capabilities.drop=["ALL"]`);
    if (adding.length > 0) {
      const names = joinQuoted(distinct(adding.flatMap(addedCapabilities)));
      details.push(`${containerWords(adding)} must not include ${names} in securityContext.capabilities.add`);
    }
    return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') };
  },
};

const restrictedVolumes: Check = {
  name: 'restrictedVolumes',
  replaces: 'hostPathVolumes',
  find({ spec: { volumes = [] } }) {
    const typesOf = (volume: object) =>
      Object.keys(volume).filter((member) => member !== 'name' && !VOLUMES.includes(member));
    const bad = volumes.filter((volume) => typesOf(volume).length > 0);
    if (bad.length === 0) return undefined;
    const types = distinct(bad.flatMap(typesOf).map((type) => (NAMELESS.has(type) ? 'unknown' : type)));
    const names = joinQuoted(bad.map(({ name }) => name));
    const words = `${plural(bad.length, 'volume')} ${names} ${bad.length === 1 ? 'uses' : 'use'}`;
    return {
      reason: 'restricted volume types',
      detail: `${words} ${plural(types.length, 'restricted volume type')} ${joinQuoted(types)}`,
    };
  },
};

const runAsNonRoot: Check = {
  name: 'runAsNonRoot',
  notInUserNamespace: true,
  find(pod) {
    const ofPod = pod.spec.securityContext?.runAsNonRoot;
    const runAsNonRootOf = (container: Container) => contextOf(container).runAsNonRoot;
    const reason = 'runAsNonRoot != true';
    const who = setters(
      ofPod === false,
      containersWith(pod, (container) => runAsNonRootOf(container) === false),
    );
    if (who !== undefined) return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` };
    const silent = containersWith(pod, (container) => runAsNonRootOf(container) === undefined);
    if (ofPod === true || silent.length === 0) return undefined;
    return { reason, detail: `pod or ${containerWords(silent)} must set securityContext.runAsNonRoot=true` };
  },
};

const runAsUser: Check = {
  name: 'runAsUser',
  since: 23,
  notInUserNamespace: true,
  find(pod) {
    const who = setters(
      pod.spec.securityContext?.runAsUser === 0,
      containersWith(pod, (container) => contextOf(container).runAsUser === 0),
    );
    return who === undefined ? undefined : { reason: 'runAsUser=0', detail: `${who} must not set runAsUser=0` };
  },
};

const seccompProfile: Check = {
  name: 'seccompProfile_restricted',
  since: 19,
  replaces: 'seccompProfile_baseline',
  find(pod, release) {
    if (isWindows(pod, release)) return undefined;
    const ofPod: string | undefined = pod.spec.securityContext?.seccompProfile?.type;
    const typeOf = (container: Container): string | undefined => contextOf(container).seccompProfile?.type;
    const isBad = (type: string | undefined): type is string => type !== undefined && !isSeccompProfile(type);
    const reason = 'seccompProfile';
    const bad = containersWith(pod, (container) => isBad(typeOf(container)));
    const who = setters(isBad(ofPod), bad);
    if (who !== undefined) {
      const types = joinQuoted(distinct([ofPod, ...bad.map(typeOf)].filter(isBad)));
      return { reason, detail: `${who} must not set securityContext.seccompProfile.type to ${types}` };
    }
    const silent = containersWith(pod, (container) => typeOf(container) === undefined);
    if (ofPod !== undefined || silent.length === 0) return undefined;
    const requirement = 'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"';
    return { reason, detail: `pod or ${containerWords(silent)} ${requirement}` };
  },
};

/** The rules that the restricted level adds to the baseline level, in the order in which messages list them. */
export const restrictedChecks: readonly Check[] = [
  allowPrivilegeEscalation,
  capabilities,
  restrictedVolumes,
  runAsNonRoot,
  runAsUser,
  seccompProfile,
];
