import { unedited } from '../../../registry/edit.js';
import type { Draft } from '../../../registry/strategy.js';
import type { Container, PodSpec } from '../core-v1.types.js';

const LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** A container of any sort, and where it is. */
export interface PlacedContainer {
  readonly container: Pick<Container, 'name' | 'env' | 'ports' | 'resources' | 'securityContext'>;
  readonly path: string;
}

/** All containers of pods, those that run first before the others. */
export function* placedContainers(spec: PodSpec, path = 'spec'): Generator<PlacedContainer> {
  for (const list of LISTS) {
    let i = 0;
    for (const container of spec[list] ?? []) yield { container, path: `${path}.${list}[${i++}]` };
  }
}

/** What all containers have, to be changed. */
export type ContainerDraft = Draft<Omit<Container, 'lifecycle' | 'livenessProbe' | 'readinessProbe' | 'startupProbe'>>;

/** The containers of which something holds. Only these become drafts: a pod may have very many. */
export function* containersThat(
  spec: Draft<PodSpec>,
  holds: (container: Readonly<ContainerDraft>) => boolean,
): Generator<ContainerDraft> {
  for (const name of LISTS) {
    const list: ContainerDraft[] = spec[name] ?? [];
    for (const [i, container] of unedited(list).entries()) {
      const draft = holds(container) ? list[i] : undefined;
      if (draft) yield draft;
    }
  }
}
