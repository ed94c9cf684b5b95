import { originalOf } from '../../../registry/edit.js';
import type { Draft } from '../../../registry/strategy.js';
import type { Container, PodSpec } from '../core-v1.types.js';

const LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** A container of any type, with its path. */
export interface PlacedContainer {
  readonly container: Pick<Container, 'name' | 'env' | 'ports' | 'resources' | 'securityContext'>;
  readonly path: string;
}

/** Iterates over all containers of a pod, with init containers first. */
export function* placedContainers(spec: PodSpec, path = 'spec'): Generator<PlacedContainer> {
  for (const list of LISTS) {
    let i = 0;
    for (const container of spec[list] ?? []) yield { container, path: `${path}.${list}[${i++}]` };
  }
}

/** The members that all types of containers have, as a draft. */
export type ContainerDraft = Draft<Omit<Container, 'lifecycle' | 'livenessProbe' | 'readinessProbe' | 'startupProbe'>>;

/**
 * Iterates over the containers that match the predicate. Drafts are created only for them, because a pod can have thousands of containers.
 */
export function* containersThat(
  spec: Draft<PodSpec>,
  holds: (container: Readonly<ContainerDraft>) => boolean,
): Generator<ContainerDraft> {
  for (const name of LISTS) {
    const list: ContainerDraft[] = spec[name] ?? [];
    for (const [i, container] of originalOf(list).entries()) {
      const draft = holds(container) ? list[i] : undefined;
      if (draft) yield draft;
    }
  }
}

/** The lists of containers that a pod may have. */
export interface Containers<C> {
  readonly containers?: readonly C[] | null;
  readonly initContainers?: readonly C[];
  readonly ephemeralContainers?: readonly C[];
}

/** Returns all containers of a pod, the init containers first. */
export const allContainers = <C>({ initContainers, containers, ephemeralContainers }: Containers<C>): C[] => [
  ...(initContainers ?? []),
  ...(containers ?? []),
  ...(ephemeralContainers ?? []),
];
