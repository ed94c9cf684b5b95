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
