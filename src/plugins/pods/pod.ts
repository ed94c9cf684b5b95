import type { Pod, PodSpec } from '../../resources/core/core-v1.types.js';

/** New values for fields of a pod's spec. */
export type SpecChanges = { readonly [K in keyof PodSpec]?: PodSpec[K] | undefined };

/** Returns the pod with changed fields in its spec. The value undefined removes a field. */
export function withSpec(pod: Pod, changes: SpecChanges): Pod {
  const spec: Record<string, unknown> = { ...pod.spec };
  for (const [name, value] of Object.entries(changes))
    if (value === undefined) delete spec[name];
    else spec[name] = value;
  // The type of `changes` ensures that the spec remains valid, so the cast is safe.
  return { ...pod, spec: spec as unknown as PodSpec };
}
