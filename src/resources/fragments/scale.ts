import { isJsonObject, type JsonValue } from '../../json/value.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { PartRules } from '../../registry/built-in-kind.js';
import type { Column } from '../../registry/resource-definition.js';
import { always, type OutputOf, omitEmpty, required, struct, structSchema } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { age, nameColumn } from './columns.js';
import { count, text } from './core-struct.js';
import { notNegative } from './value-rules.js';

const AUTOSCALING = 'io.k8s.api.autoscaling.v1';

const spec = struct(`${AUTOSCALING}.ScaleSpec`, 'The wanted number.', () => ({
  replicas: omitEmpty(count, 1, 'The number of pods wanted.'),
}));

const status = struct(`${AUTOSCALING}.ScaleStatus`, 'The observed number.', () => ({
  replicas: required(count, 1, 'The number of pods there.'),
  selector: omitEmpty(text, 2, 'Picks the pods, as text.'),
}));

const scaleSchema = topLevel(`${AUTOSCALING}.Scale`, 'How many pods an object has.', () => ({
  spec: always(spec, 2, 'The wanted number.'),
  status: always(status, 3, 'The observed number.'),
}));
type Scale = OutputOf<typeof scaleSchema>;

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

/** Where an object has what its scale shows. */
export interface ScalePaths<T extends ApiObject> {
  /** The number wanted. Default `spec.replicas`. */
  readonly replicas?: string;
  /** The number there. Default `status.replicas`. */
  readonly statusReplicas?: string;
  /** What picks the pods, as text; '' for nothing. */
  readonly selector: (object: T) => string;
}

/** The subresource `scale` (see `scaleNames`): how many pods an object wants and has. */
/* @__NO_SIDE_EFFECTS__ */
export function scaleSubresource<T extends ApiObject>({
  replicas = 'spec.replicas',
  statusReplicas = 'status.replicas',
  selector,
}: ScalePaths<T>): PartRules<T> {
  const replicasPath = replicas.split('.');
  const statusPath = statusReplicas.split('.');
  return {
    part: {
      schema: structSchema(scaleSchema),
      columns: columns as readonly Column<ApiObject>[], // asked about scales alone
      field: 'spec.replicas',
      fieldOfObject: replicas,
      read(object) {
        const wanted = numberAt(object, replicasPath);
        const picked = selector(object);
        return {
          spec: wanted === 0 ? {} : { replicas: wanted },
          status: { replicas: numberAt(object, statusPath), ...(picked === '' ? {} : { selector: picked }) },
        };
      },
      validate: (part) => notNegative('spec.replicas', (part as Scale).spec.replicas),
      write: (draft, part) => setNumber(draft, replicasPath, (part as Scale).spec.replicas ?? 0),
    },
  };
}

function numberAt(object: object, path: readonly string[]): number {
  let value = object as JsonValue | undefined; // an API object is plain JSON
  for (const name of path) value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof value === 'number' ? value : 0;
}

function setNumber(draft: object, path: readonly string[], value: number): void {
  let at = draft as Record<string, JsonValue>; // as above
  for (const name of path.slice(0, -1)) {
    const inner = Object.hasOwn(at, name) ? at[name] : undefined;
    at = (isJsonObject(inner) ? inner : (at[name] = {})) as Record<string, JsonValue>;
  }
  at[path.at(-1) ?? ''] = value;
}
