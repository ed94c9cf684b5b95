import type { Pod, PodSpec } from '../../resources/core/core-v1.types.js';

/** New values of fields of a spec. */
export type SpecChanges = { readonly [K in keyof PodSpec]?: PodSpec[K] | undefined };

/** Returns the pod with changed fields of its spec; undefined removes a field. */
export function withSpec(pod: Pod, changes: SpecChanges): Pod {
  const spec: Record<string, unknown> = { ...pod.spec };
  for (const [name, value] of Object.entries(changes))
    if (value === undefined) delete spec[name];
    else spec[name] = value;
  return { ...pod, spec: spec as unknown as PodSpec }; // The types of the changes keep the spec valid.
}
