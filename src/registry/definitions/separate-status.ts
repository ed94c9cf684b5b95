import type { ApiObject } from '../../meta/object-meta.js';
import type { Draft } from '../strategy.js';
import type { ResourceDefinition } from './definition.js';
import type { ObjectSubresource } from './subresource.js';

const STATUS = 'status';
const SPEC = 'spec';

/** A draft whose members are accessed by name, because the static type of a custom resource is not known here. */
type AnyDraft = Record<string, unknown>;
const anyDraft = (draft: Draft<ApiObject>): AnyDraft => draft as unknown as AnyDraft;

/**
 * Separates the status of a custom resource kind if it is a subresource, as in custom resource definitions (spec 21.6): a new object has no
 * status, a write of the object keeps the stored status, and a write of `/status` changes nothing else. The kind's own strategies run
 * afterwards.
 */
export function withSeparateStatus(definition: ResourceDefinition): ResourceDefinition {
  const { subresources = {}, strategy = {}, schema } = definition;
  const status = Object.hasOwn(subresources, STATUS) ? subresources[STATUS] : undefined;
  if (status === undefined || 'create' in status || 'part' in status || 'relay' in status) return definition;
  const mayHave = (member: string) => schema.properties.has(member) || schema.preserveUnknown === true;
  const resets = (member: string, resetFields: readonly string[] = []) =>
    mayHave(member) && !resetFields.includes(member) ? [member, ...resetFields] : resetFields;
  return {
    ...definition,
    resetFields: resets(STATUS, definition.resetFields),
    strategy: {
      ...strategy,
      prepareForCreate(draft, context) {
        delete anyDraft(draft)[STATUS];
        strategy.prepareForCreate?.(draft, context);
      },
      prepareForUpdate(draft, old, context) {
        restoreMember(draft, old, STATUS);
        strategy.prepareForUpdate?.(draft, old, context);
      },
    },
    subresources: { ...subresources, [STATUS]: statusOnly(status, resets(SPEC, status.resetFields)) },
  };
}

/** Returns the subresource `/status` with a strategy that restores everything but the status. */
function statusOnly(
  status: ObjectSubresource<ApiObject>,
  resetFields: readonly string[],
): ObjectSubresource<ApiObject> {
  const { strategy = {} } = status;
  return {
    ...status,
    resetFields,
    strategy: {
      ...strategy,
      prepareForUpdate(draft, old, context) {
        for (const name of new Set([...Object.keys(draft), ...Object.keys(old)]))
          if (name !== STATUS && name !== 'metadata') restoreMember(draft, old, name);
        keepMetadata(draft, old);
        strategy.prepareForUpdate?.(draft, old, context);
      },
    },
  };
}

/** Restores the metadata in a write of the status, except managedFields, which record who wrote the status. */
export function keepMetadata(draft: Draft<ApiObject>, { metadata }: ApiObject): void {
  const { managedFields } = draft.metadata;
  draft.metadata = { ...(metadata as Draft<ApiObject>['metadata']) };
  if (managedFields) draft.metadata.managedFields = managedFields;
  else delete draft.metadata.managedFields;
}

/** Restores the stored value of a member. */
function restoreMember(draft: Draft<ApiObject>, old: ApiObject, name: string): void {
  const before = old as unknown as Readonly<AnyDraft>;
  if (Object.hasOwn(before, name)) anyDraft(draft)[name] = before[name];
  else delete anyDraft(draft)[name];
}
