import type { Dialect } from '../../meta/dialect.js';
import type { Container, PodTemplateSpec } from '../../resources/core/core-v1.types.js';
import { allContainers } from '../../resources/core/pod/pod-containers.js';

/** A pod or a pod template. The template in a custom resource may lack metadata. */
export type SecuredPod = Partial<Pick<PodTemplateSpec, 'metadata'>> & Pick<PodTemplateSpec, 'spec'>;

/** A violation by a pod: a short reason and the exact details. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** One rule of a level. */
export interface Check {
  readonly name: string;
  /** The first minor release with this rule (the number after `v1.`). Default 0. */
  readonly since?: number;
  /** The name of a baseline rule that this rule replaces in the restricted level. */
  readonly replaces?: string;
  /** Whether the rule is skipped for pods in a user namespace, if the feature gate UserNamespacesPodSecurityStandards is on. */
  readonly notInUserNamespace?: true;
  /** Returns the violation of the rule by a pod, if any. `release` is the number after `v1.`, or infinity for the newest release. */
  find(pod: SecuredPod, release: number, dialect: Dialect): Violation | undefined;
}

export const plural = (count: number, one: string): string => (count === 1 ? one : `${one}s`);
export const joinQuoted = (words: readonly string[]): string => `"${words.join('", "')}"`;
/** Returns the words sorted and without duplicates. */
export const distinct = (words: readonly string[]): string[] => [...new Set(words)].sort();

/** Formats containers for messages: `container "a"`, `containers "a", "b"`. */
export const containerWords = (containers: readonly Container[]): string =>
  `${plural(containers.length, 'container')} ${joinQuoted(containers.map(({ name }) => name))}`;

/** Returns the security context of a container. */
export const contextOf = ({ securityContext }: Container) => securityContext ?? {};

/** Returns the containers of a pod that match a predicate. */
export const containersWith = ({ spec }: SecuredPod, isBad: (container: Container) => boolean) =>
  allContainers<Container>(spec).filter(isBad);

/** Formats where a field is set, for example `pod and container "a"`; undefined when it is set neither in the pod nor in a container. */
export function setters(isPod: boolean, containers: readonly Container[]): string | undefined {
  const words = [...(isPod ? ['pod'] : []), ...(containers.length > 0 ? [containerWords(containers)] : [])];
  return words.length === 0 ? undefined : words.join(' and ');
}

const SECCOMP = ['RuntimeDefault', 'Localhost'];
export const isSeccompProfile = (type: string): boolean => SECCOMP.includes(type);
