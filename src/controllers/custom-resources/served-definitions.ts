import { customKinds, type KindState } from '../../custom-resources/custom-kinds.js';
import type { ComputedFrom } from '../../custom-resources/naming.js';
import { equalJson } from '../../json/equal.js';
import { formatTime } from '../../meta/clock.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import type {
  CustomResourceDefinitionCondition as CrdCondition,
  CustomResourceDefinitionSpec as CrdSpec,
  CustomResourceDefinition,
} from '../../resources/apiextensions/apiextensions-v1.types.js';
import { conditionOf, isEstablished, withCondition } from '../../resources/apiextensions/conditions.js';
import { cleanupFinalizer } from '../../resources/apiextensions/custom-resource-definition.js';
import { customResourceDefinition } from '../../resources/apiextensions/index.js';
import { messageOf } from '../../values/message-of.js';
import type { ControllerContext } from '../controller.js';
import { definitionLister } from './known-definitions.js';

/** The kinds served for one definition. */
interface Served {
  definition: CustomResourceDefinition;
  readonly kinds: readonly ResourceDefinition[];
  /** Ends the watch for the deletion of custom resources. */
  stop?: () => void;
}

/** The kinds that one server serves for its custom resource definitions. */
export class ServedDefinitions {
  readonly #context: ControllerContext;
  readonly #served = new Map<string, Served>();
  /** The values from which the conditions of each definition were last computed, by the name of the definition. */
  readonly computed = new Map<string, ComputedFrom>();

  constructor(context: ControllerContext) {
    this.#context = context;
  }

  /** Returns the group of a definition whose kinds are served; undefined if they are not served. */
  groupOf(name: string): string | undefined {
    return this.#served.get(name)?.definition.spec.group;
  }

  /**
   * Serves the kinds of an established definition, and no kinds of others. The change is atomic: every request sees either the old kinds or
   * the new ones.
   */
  serve(stored: CustomResourceDefinition): void {
    const definition = stored.metadata.deletionTimestamp === undefined ? stored : withRemovableObjects(stored);
    const { name = '' } = definition.metadata;
    const before = this.#served.get(name);
    if (!isEstablished(definition)) {
      this.#stopServing(name);
      return;
    }
    if (before && isSameKind(before.definition, definition)) {
      const wasTerminating = isTerminating(before.definition);
      before.definition = definition;
      // Discovery lists fewer verbs during the deletion.
      if (wasTerminating !== isTerminating(definition)) this.#context.host.kinds.change({ relist: before.kinds });
      return;
    }
    const { status } = definition;
    const spec = this.#withFreeVersions(name, definition.spec);
    const kinds = customKinds(spec, status.acceptedNames, this.#stateOf(definition), this.#context.host);
    try {
      this.#context.host.kinds.change({ uninstall: before?.kinds ?? [], install: kinds });
    } catch (error) {
      // The change fails if another installed kind already has one of the definition's names.
      this.#context.host.log(`custom resource definition ${name} cannot be served: ${messageOf(error)}`);
      return;
    }
    before?.stop?.();
    this.#served.set(name, { definition, kinds });
  }

  /**
   * Returns an object that reports whether the definition is being deleted. It reads the lister at every access, because another server may
   * delete the definition.
   */
  #stateOf({ metadata: { name = '', uid } }: CustomResourceDefinition): KindState {
    const lister = definitionLister(this.#context.host);
    return {
      get terminating() {
        const stored = lister.get('', name);
        return stored === undefined || stored.metadata.uid !== uid || isTerminating(stored);
      },
    };
  }

  /**
   * Returns the spec with `served: false` for versions whose group version has built-in kinds, because that group version belongs to the
   * server.
   */
  #withFreeVersions(name: string, spec: CrdSpec): CrdSpec {
    const { host } = this.#context;
    const { current } = host.kinds;
    const taken = spec.versions.filter((each) => each.served && current.groupVersion(spec.group, each.name)?.builtIn);
    if (taken.length === 0) return spec;
    host.log(`custom resource definition ${name}: its versions in built-in group versions are not served`);
    return {
      ...spec,
      versions: spec.versions.map((each) => (taken.includes(each) ? { ...each, served: false } : each)),
    };
  }

  /** Forgets a definition that was removed, and stops serving its kinds. */
  remove(name: string): void {
    this.computed.delete(name);
    this.#stopServing(name);
  }

  #stopServing(name: string): void {
    const served = this.#served.get(name);
    if (!served) return;
    served.stop?.();
    this.#served.delete(name);
    this.#context.host.kinds.change({ uninstall: served.kinds });
  }

  /** Deletes the custom resources of a definition that is being deleted, and removes the definition's finalizer when none are left. */
  async removeObjects(name: string): Promise<void> {
    const { host, client } = this.#context;
    const current = await client.get(customResourceDefinition, name);
    const finalizer = cleanupFinalizer(host.dialect);
    const { finalizers = [] } = current.metadata;
    if (!finalizers.includes(finalizer)) return;
    const served = this.#served.get(name);
    // Objects are deleted through the storage version, which needs no conversion that could fail.
    const storage = current.spec.versions.find((version) => version.storage)?.name;
    const kind = served?.kinds.find(({ version }) => version === storage) ?? served?.kinds[0];
    if (!served || !kind) {
      const never: Condition = isEstablished(current)
        ? {
            type: 'Terminating',
            status: 'False',
            reason: 'InstanceDeletionCompleted',
            message: 'removed all instances',
          }
        : {
            type: 'Terminating',
            status: 'False',
            reason: 'NeverEstablished',
            message: 'resource was never established',
          };
      return this.#releaseFinalizer(await this.#setCondition(current, never), finalizer);
    }
    const saying = await this.#setCondition(current, IN_PROGRESS);
    const left = await this.#deleteAll(kind);
    if (left > 0) return this.#requeueOnDeletion(name, served, kind);
    await this.#releaseFinalizer(await this.#setCondition(saying, COMPLETED), finalizer);
  }

  /** Deletes all objects of a kind. @returns how many are left */
  async #deleteAll(kind: ResourceDefinition): Promise<number> {
    const { client } = this.#context;
    const { items } = await client.list(kind);
    const pending = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    for (const namespace of new Set(pending.map(({ metadata }) => metadata.namespace)))
      await client.deleteCollection(kind, namespace === undefined ? {} : { namespace });
    return items.length === 0 ? 0 : (await client.list(kind)).items.length;
  }

  /** Queues the definition again whenever one of its custom resources has been deleted. */
  #requeueOnDeletion(name: string, served: Served, { group = '', plural }: ResourceDefinition): void {
    const { host, queue } = this.#context;
    served.stop ??= host.lister(group, plural).onChange((next) => {
      if (!next) queue.add(name);
    });
  }

  async #setCondition(definition: CustomResourceDefinition, condition: Condition): Promise<CustomResourceDefinition> {
    const old = conditionOf(definition.status, condition.type);
    if (old && old.status === condition.status && old.reason === condition.reason) return definition;
    const { host, client } = this.#context;
    const conditions = withCondition(definition.status.conditions ?? [], condition, formatTime(host.clock.now()));
    const next = { ...definition, status: { ...definition.status, conditions } };
    return client.replace(customResourceDefinition, next, { subresource: 'status' });
  }

  async #releaseFinalizer(definition: CustomResourceDefinition, finalizer: string): Promise<void> {
    const { metadata } = definition;
    const finalizers = metadata.finalizers?.filter((each) => each !== finalizer) ?? [];
    await this.#context.client.replace(customResourceDefinition, {
      ...definition,
      metadata: { ...metadata, finalizers },
    });
  }
}

type Condition = Omit<CrdCondition, 'lastTransitionTime'>;
const IN_PROGRESS: Condition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};
const COMPLETED: Condition = {
  type: 'Terminating',
  status: 'False',
  reason: 'InstanceDeletionCompleted',
  message: 'removed all instances',
};

/**
 * Returns a definition that is being deleted with a served version through which its custom resources can be deleted. If it serves no
 * version, its storage version is served.
 */
function withRemovableObjects(definition: CustomResourceDefinition): CustomResourceDefinition {
  const { spec } = definition;
  if (spec.versions.some(({ served }) => served)) return definition;
  const versions = spec.versions.map((version) => (version.storage ? { ...version, served: true } : version));
  return { ...definition, spec: { ...spec, versions } };
}

/** Whether a definition is being deleted, or its condition says so. */
const isTerminating = ({ metadata, status }: CustomResourceDefinition): boolean =>
  metadata.deletionTimestamp !== undefined || conditionOf(status, 'Terminating')?.status === 'True';

/** Returns whether two versions of a definition result in the same served kinds. */
function isSameKind(a: CustomResourceDefinition, b: CustomResourceDefinition): boolean {
  return (
    a.metadata.uid === b.metadata.uid &&
    equalJson(a.spec, b.spec) &&
    equalJson(a.status.acceptedNames, b.status.acceptedNames)
  );
}
