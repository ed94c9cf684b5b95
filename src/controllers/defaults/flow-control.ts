import type { Client } from '../../client/client.js';
import { equalJson } from '../../json/equal.js';
import { isAlreadyExists, isNotFound } from '../../meta/api-error.js';
import { type Dialect, domainName, ofDialect } from '../../meta/dialect.js';
import type { Host } from '../../meta/host.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import {
  mandatoryFlowSchemas,
  mandatoryPriorityLevels,
  suggestedFlowSchemas,
  suggestedPriorityLevels,
} from '../../resources/flowcontrol/default-objects.js';
import { flowSchema, priorityLevelConfiguration } from '../../resources/flowcontrol/index.js';
import { readBooleanText } from '../../values/boolean-text.js';
import { type ControllerDefinition, listerOf, servedAs, stopAll } from '../controller.js';
import { seedsOf } from '../seed.js';
import { unless } from '../unless.js';

const MANAGER = 'api-priority-and-fairness-config-producer-v1';
const EXEMPT = 'exempt';
const MINUTE = 60_000;

interface WithSpec extends ApiObject {
  readonly spec: object;
}
interface DefaultObject {
  readonly kind: ResourceDefinition<WithSpec>;
  readonly name: string;
  readonly spec: object;
  /** Whether changes of the object are always reverted. */
  readonly mandatory: boolean;
}

const defaultObjects = ofDialect((dialect): ReadonlyMap<string, DefaultObject> => {
  const of = (
    kind: ResourceDefinition<never>,
    objects: readonly { readonly metadata: { readonly name: string }; readonly spec: object }[],
    mandatory: boolean,
  ) =>
    objects.map(({ metadata: { name }, spec }): readonly [string, DefaultObject] => [
      `${kind.plural}/${name}`,
      // Priority levels and flow schemas both have a spec, so the cast is safe.
      { kind: kind as unknown as ResourceDefinition<WithSpec>, name, spec, mandatory },
    ]);
  return new Map([
    ...of(priorityLevelConfiguration, mandatoryPriorityLevels, true),
    ...of(flowSchema, mandatoryFlowSchemas, true),
    ...of(priorityLevelConfiguration, suggestedPriorityLevels, false),
    ...of(flowSchema, suggestedFlowSchemas(dialect), false),
  ]);
});

const defaultSeeds = ofDialect((dialect) =>
  Array.from(defaultObjects(dialect).values(), (defaultObject) =>
    seedsOf(defaultObject.kind, [{ ...objectToCreate(defaultObject, dialect), status: {} }], {
      manager: MANAGER,
    }),
  ),
);

const KINDS = [priorityLevelConfiguration, flowSchema] as unknown as readonly ResourceDefinition<WithSpec>[];
const keyOf = ({ plural }: ResourceDefinition<WithSpec>, { metadata }: WithSpec) => `${plural}/${metadata.name}`;

/**
 * Creates the default priority levels and flow schemas. A deleted one is created again after a minute. Changes to mandatory objects are
 * reverted; changes to suggested objects are reverted, too, unless an annotation marks the object as managed by users. Other objects that
 * the annotation marks as managed by the server are defaults of another release, so they are deleted.
 */
export const flowControlDefaults: ControllerDefinition = {
  name: 'flow-control-defaults-controller',
  ofServer: true,
  seeds: ({ dialect }) => defaultSeeds(dialect),
  follow({ host, queue }) {
    const objects = defaultObjects(host.dialect);
    for (const [key, { kind }] of objects) if (servedAs(host, kind)) queue.add(key);
    const annotation = annotationOf(host.dialect);
    const stops = KINDS.map((kind) => {
      const lister = listerOf(host, kind);
      for (const object of servedAs(host, kind) ? lister.list() : [])
        if (isManaged(object, annotation)) queue.add(keyOf(kind, object));
      return lister.onChange((next, previous) => {
        // A change always has `next` or `previous`, so the cast is safe.
        const key = keyOf(kind, next ?? (previous as WithSpec));
        const defaultObject = objects.get(key);
        const differs = defaultObject
          ? previous && (!next || restoreDefault(defaultObject, next, annotation))
          : next && isManaged(next, annotation);
        if (differs) queue.addAfter(key, MINUTE);
      });
    });
    return stopAll(stops);
  },
  async reconcile(key, { host, client }) {
    const defaultObject = defaultObjects(host.dialect).get(key);
    if (!defaultObject) return removeLeftOver(key, host, client);
    const { kind, name } = defaultObject;
    const options = { fieldManager: MANAGER };
    const stored = listerOf(host, kind).get('', name);
    if (!stored) {
      await client.create(kind, objectToCreate(defaultObject, host.dialect), options).catch(unless(isAlreadyExists));
      return;
    }
    const next = restoreDefault(defaultObject, stored, annotationOf(host.dialect));
    if (next) await client.replace(kind, next, options);
  },
};

const annotationOf = (dialect: Dialect) => `apf.${domainName(dialect, 'autoupdate-spec')}`;

const objectToCreate = ({ name, spec }: DefaultObject, dialect: Dialect) => ({
  metadata: { name, annotations: { [annotationOf(dialect)]: 'true' } },
  spec,
});

/** Returns the object to write, or undefined when the stored one needs no change. */
function restoreDefault(
  { mandatory, name, spec }: DefaultObject,
  stored: WithSpec,
  annotation: string,
): WithSpec | undefined {
  const { annotations = {}, generation } = stored.metadata;
  const mark = isManaged(stored, annotation);
  const isOurs = mandatory || (mark ?? generation === 1);
  // Users may set the shares of the exempt level, so the stored shares are kept.
  const exempt = name === EXEMPT && 'exempt' in stored.spec ? { exempt: stored.spec.exempt } : {};
  const desiredSpec = isOurs ? { ...spec, ...exempt } : stored.spec;
  if (mark === isOurs && equalJson(stored.spec, desiredSpec)) return undefined;
  if (mark === isOurs) return { ...stored, spec: desiredSpec };
  const metadata = { ...stored.metadata, annotations: { ...annotations, [annotation]: String(isOurs) } };
  return { ...stored, metadata, spec: desiredSpec };
}

/** Returns whether the annotation says that the server manages the object; undefined when it is absent or not a boolean. */
const isManaged = ({ metadata }: WithSpec, annotation: string): boolean | undefined =>
  readBooleanText(metadata.annotations?.[annotation] ?? '');

async function removeLeftOver(key: string, host: Host, client: Client): Promise<void> {
  const [plural, name = ''] = key.split('/');
  const kind = KINDS.find((each) => each.plural === plural);
  const stored = kind && listerOf(host, kind).get('', name);
  if (!kind || !stored || !isManaged(stored, annotationOf(host.dialect))) return;
  const { uid = '', resourceVersion = '' } = stored.metadata;
  await client.delete(kind, name, { preconditions: { uid, resourceVersion } }).catch(unless(isNotFound));
}
