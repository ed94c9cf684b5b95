import type { Dialect } from '../../meta/dialect.js';
import { allContainers } from '../pods/all-containers.js';
import type { SecuredContainer, SecuredPod } from './secured-pod.js';

/** What is wrong with a pod: in a few words, and what exactly. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** One rule of a level. */
export interface Check {
  readonly name: string;
  /** The first release, `v1.<number>`, that had it. Default 0. */
  readonly since?: number;
  /** A rule of the level below that it takes the place of. */
  readonly replaces?: string;
  /** Not asked of pods with users of their own, while a gate says that nodes can do that. */
  readonly notInUserNamespace?: true;
  /** `release` is a number as well, or infinite for the newest. */
  find(pod: SecuredPod, release: number, dialect: Dialect): Violation | undefined;
}

export const plural = (count: number, one: string): string => (count === 1 ? one : `${one}s`);
export const joinQuoted = (words: readonly string[]): string => `"${words.join('", "')}"`;
/** Each word once, in order. */
export const distinct = (words: readonly string[]): string[] => [...new Set(words)].sort();

/** `container "a"`, `containers "a", "b"`. */
export const containerWords = (containers: readonly SecuredContainer[]): string =>
  `${plural(containers.length, 'container')} ${joinQuoted(containers.map(({ name }) => name))}`;

/** What a container asks for in its security context. */
export const contextOf = ({ securityContext }: SecuredContainer) => securityContext ?? {};

/** The containers of a pod of which something is true. */
export const containersWith = ({ spec }: SecuredPod, isBad: (container: SecuredContainer) => boolean) =>
  allContainers(spec).filter(isBad);

/** `pod and container "a"`: who sets something. Undefined: none does. */
export function setters(isPod: boolean, containers: readonly SecuredContainer[]): string | undefined {
  const words = [...(isPod ? ['pod'] : []), ...(containers.length > 0 ? [containerWords(containers)] : [])];
  return words.length === 0 ? undefined : words.join(' and ');
}

const SECCOMP = ['RuntimeDefault', 'Localhost'];
export const isSeccompProfile = (type: string): boolean => SECCOMP.includes(type);
