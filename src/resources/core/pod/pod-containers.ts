import type { Container } from './pod-container.js';

interface Containers<C> {
  readonly containers: readonly C[] | null;
  readonly initContainers?: readonly C[];
  readonly ephemeralContainers?: readonly C[];
}

/** All containers of a pod with their paths, in the order in which the wire goes through them: those that run first come first. */
export function* containersWithPaths<C = Container>(
  spec: Containers<C>,
  path = 'spec',
): Iterable<readonly [container: C, path: string]> {
  for (const field of ['initContainers', 'containers', 'ephemeralContainers'] as const)
    for (const [i, container] of (spec[field] ?? []).entries()) yield [container, `${path}.${field}[${i}]`];
}

/** All containers of a pod, in that order. */
export const allContainers = <C>({ initContainers, containers, ephemeralContainers }: Containers<C>): C[] => [
  ...(initContainers ?? []),
  ...(containers ?? []),
  ...(ephemeralContainers ?? []),
];
