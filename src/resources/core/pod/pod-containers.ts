import type { Container } from './pod-container.js';
import type { PodSpec } from './pod-spec.js';

/** A container of any sort, and where it is. */
export interface PlacedContainer {
  readonly container: Pick<Container, 'name' | 'env' | 'ports' | 'resources' | 'securityContext'>;
  readonly path: string;
}

/** All containers of pods, those that run first before the others. */
export function placedContainers(spec: PodSpec, path = 'spec'): readonly PlacedContainer[] {
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).map((container, i) => ({ container, path: `${path}.${list}[${i}]` })),
  );
}

interface Containers<C> {
  readonly containers: readonly C[] | null;
  readonly initContainers?: readonly C[];
  readonly ephemeralContainers?: readonly C[];
}

/** All containers of a pod, in that order. */
export const allContainers = <C>({ initContainers, containers, ephemeralContainers }: Containers<C>): C[] => [
  ...(initContainers ?? []),
  ...(containers ?? []),
  ...(ephemeralContainers ?? []),
];
