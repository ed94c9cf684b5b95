import type { AdmissionAttributes, Operation } from '../../admission/admission-plugin.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { Amounts } from '../amounts.js';

export interface ContainerResources {
  readonly limits?: Amounts;
  readonly requests?: Amounts;
}

export interface Container {
  readonly name: string;
  readonly resources?: ContainerResources;
  readonly restartPolicy?: string;
  readonly image?: string;
  readonly imagePullPolicy?: string;
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

interface AffinityTerm {
  readonly topologyKey?: string;
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: object;
}
interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly AffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly { readonly podAffinityTerm: AffinityTerm }[];
}

/** The fields of a pod that plug-ins read. */
export interface PodObject extends ApiObject {
  readonly spec: {
    readonly containers?: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly ephemeralContainers?: readonly Container[];
    readonly priority?: number;
    readonly priorityClassName?: string;
    readonly preemptionPolicy?: string;
    readonly runtimeClassName?: string;
    readonly overhead?: Amounts;
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly tolerations?: readonly Toleration[];
    readonly activeDeadlineSeconds?: number;
    readonly affinity?: { readonly podAffinity?: PodAffinity; readonly podAntiAffinity?: PodAffinity };
  };
  readonly status?: { readonly phase?: string; readonly qosClass?: string };
}

/** Returns a predicate for requests that do one of these operations on a pod itself. */
export const isOfPod =
  (...operations: readonly Operation[]) =>
  ({ operation, resource, subresource }: AdmissionAttributes): boolean =>
    resource.resource === 'pods' && resource.group === '' && subresource === '' && operations.includes(operation);

/** New values of fields of a spec. */
export type SpecChanges = { readonly [K in keyof PodObject['spec']]?: PodObject['spec'][K] | undefined };

/** Returns the pod with changed fields of its spec; undefined removes a field. */
export function withSpec(pod: PodObject, changes: SpecChanges): PodObject {
  const spec: Record<string, unknown> = { ...pod.spec };
  for (const [name, value] of Object.entries(changes))
    if (value === undefined) delete spec[name];
    else spec[name] = value;
  return { ...pod, spec } as PodObject;
}
