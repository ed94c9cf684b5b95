import type { Convert, OwnershipOptions } from '../../fields/index.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { ServedResource } from '../served/served-resource.js';

/** What a kind says about who owns its fields, for a write to the object itself ('') or to a subresource. */
export function ownershipRules(
  { definition, apiVersion, convert }: ServedResource,
  subresource: string,
): Pick<OwnershipOptions, 'schema' | 'apiVersion' | 'subresource' | 'resetFields' | 'convert'> {
  const route = subresource === '' ? definition : definition.subresources?.[subresource];
  const resetFields = route && 'resetFields' in route ? route.resetFields : undefined;
  return { schema: definition.schema, apiVersion, subresource, resetFields, convert };
}

/** Converts between the versions that share one storage: what a manager wrote in one of them stays its own in all. */
export function convertBetween(versions: readonly ServedResource[]): Convert {
  return (object, apiVersion) => {
    const from = versions.find((version) => version.apiVersion === object.apiVersion);
    const to = versions.find((version) => version.apiVersion === apiVersion);
    if (from === undefined || to === undefined) return undefined;
    const value = object.value as unknown as ApiObject; // of the version it says
    const stored = formOf(from)?.toStorage(value, from.dialect) ?? value;
    const converted = formOf(to)?.fromStorage(stored, to.dialect) ?? stored;
    return { apiVersion, schema: to.definition.schema, value: converted as unknown as typeof object.value };
  };
}

const formOf = ({ definition }: ServedResource) => definition.storedAs ?? definition.storageForm;
