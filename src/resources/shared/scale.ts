import { isJsonObject, type JsonValue } from '../../json/value.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { Column, PartSubresource } from '../../registry/resource-definition.js';
import { structSchema } from '../../schema/authoring.js';
import { present } from '../../values/present.js';
import { autoscalingV1 } from '../autoscaling/autoscaling-v1.js';
import type { Scale } from '../autoscaling/autoscaling-v1.types.js';
import { age, nameColumn } from './columns.js';
import { notNegative } from './value-rules.js';

const column = (name: string, description: string, cell: (scale: Scale) => number): Column<Scale> => ({
  name,
  type: 'integer',
  description,
  cell,
});

const columns: readonly Column<Scale>[] = [
  { ...nameColumn, format: '' },
  column('Desired', 'The number of pods wanted.', (scale) => scale.spec.replicas ?? 0),
  column('Available', 'The number of pods there.', (scale) => scale.status.replicas),
  age,
];

/** The paths of the fields from which the scale of an object is read. */
export interface ScalePaths<T extends ApiObject> {
  /** The desired number of replicas. Default `spec.replicas`. */
  readonly replicas?: string;
  /** The observed number of replicas. Default `status.replicas`. */
  readonly statusReplicas?: string;
  /** Returns the pod selector as a string; '' for none. */
  readonly selector: (object: T) => string;
  /** The API group in which a failed GET reports that the scale was not found, see `PartSubresource`. */
  readonly failedReadGroupStem?: string;
}

/**
 * Returns the subresource `scale`. Its kind is Scale of autoscaling/v1, which contains the desired and the observed number of an object's
 * pods.
 */
/* @__NO_SIDE_EFFECTS__ */
export function scaleSubresource<T extends ApiObject>({
  replicas = 'spec.replicas',
  statusReplicas = 'status.replicas',
  selector,
  failedReadGroupStem,
}: ScalePaths<T>): PartSubresource<T> {
  const replicasPath = replicas.split('.');
  const statusPath = statusReplicas.split('.');
  return {
    part: {
      kind: 'Scale',
      groupStem: 'autoscaling',
      version: 'v1',
      knownVersions: ['extensions/v1beta1', 'apps/v1beta1', 'apps/v1beta2'],
      schema: structSchema(autoscalingV1.struct('Scale')),
      // The columns are used only for Scale objects, so the cast is safe.
      columns: columns as readonly Column<ApiObject>[],
      field: 'spec.replicas',
      fieldOfObject: replicas,
      ...present({ failedReadGroupStem }),
      read(object) {
        const specReplicas = numberAt(object, replicasPath);
        const picked = selector(object);
        return {
          spec: specReplicas === 0 ? {} : { replicas: specReplicas },
          status: { replicas: numberAt(object, statusPath), ...(picked === '' ? {} : { selector: picked }) },
        };
      },
      validate: (part) => notNegative('spec.replicas', (part as Scale).spec.replicas),
      write: (draft, part) => setNumber(draft, replicasPath, (part as Scale).spec.replicas ?? 0),
    },
  };
}

function numberAt(object: object, path: readonly string[]): number {
  let value = object as JsonValue | undefined; // An API object is plain JSON, so the cast is safe.
  for (const name of path) value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof value === 'number' ? value : 0;
}

function setNumber(draft: object, path: readonly string[], value: number): void {
  let at = draft as Record<string, JsonValue>; // An API object is plain JSON, so the cast is safe.
  for (const name of path.slice(0, -1)) {
    const inner = Object.hasOwn(at, name) ? at[name] : undefined;
    at = (isJsonObject(inner) ? inner : (at[name] = {})) as Record<string, JsonValue>;
  }
  at[path.at(-1) ?? ''] = value;
}
