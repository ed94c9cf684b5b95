/** The lists of containers that a pod may have. */
export interface Containers<C> {
  readonly containers?: readonly C[] | null;
  readonly initContainers?: readonly C[];
  readonly ephemeralContainers?: readonly C[];
}

/** All containers of a pod, those that run first before the others. */
export const allContainers = <C>({ initContainers, containers, ephemeralContainers }: Containers<C>): C[] => [
  ...(initContainers ?? []),
  ...(containers ?? []),
  ...(ephemeralContainers ?? []),
];
