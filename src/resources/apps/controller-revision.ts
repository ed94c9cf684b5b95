import { isJsonObject } from '../../json/value.js';
import { type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { parseGroupVersion } from '../../meta/group-version.js';
import { controllerOf } from '../../meta/owner-references.js';
import { defineResource } from '../../registry/resource-definition.js';
import { age, nameColumn } from '../shared/columns.js';
import { notNegative } from '../shared/value-rules.js';
import { appsV1 } from './apps-v1.js';
import type { ControllerRevision } from './apps-v1.types.js';

const encoder = new TextEncoder();

/** Formats raw data for error messages: byte by byte, as upstream does. */
function printedData(data: ControllerRevision['data']) {
  const bytes = [...encoder.encode(JSON.stringify(data ?? null))].map((byte) => `0x${byte.toString(16)}`);
  return printed(`runtime.RawExtension{Raw:[]uint8{${bytes.join(', ')}}, Object:runtime.Object(nil)}`);
}

function validate({ data, revision }: ControllerRevision): FieldError[] {
  const errors = notNegative('revision', revision);
  if (data === undefined || data === null) errors.push(fieldError.required('data', 'data is mandatory'));
  else if (!isJsonObject(data)) errors.push(fieldError.required('data', 'data must be a valid JSON object'));
  return errors;
}

/** Returns the controller of a revision as `kind.group/name`. */
function controllerCell({ metadata }: ControllerRevision): string {
  const owner = controllerOf(metadata);
  if (owner === undefined) return '<none>';
  const group = parseGroupVersion(owner.apiVersion)?.group ?? '';
  return `${(group === '' ? owner.kind : `${owner.kind}.${group}`).toLowerCase()}/${owner.name}`;
}

/** apps/v1 ControllerRevision: a saved state that a controller can go back to. */
export const controllerRevision = defineResource({
  groupStem: 'apps',
  version: 'v1',
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  scope: 'Namespaced',
  schema: appsV1.struct('ControllerRevision'),
  strategy: {
    validate,
    validateUpdate(next, old) {
      // The data are compared as JSON strings, because a different order of members counts as a change.
      if (JSON.stringify(next.data) === JSON.stringify(old.data)) return validate(next);
      return [...validate(next), fieldError.invalid('data', printedData(next.data), 'field is immutable')];
    },
  },
  columns: [
    nameColumn,
    { name: 'Controller', type: 'string', description: 'The controller that owns the revision.', cell: controllerCell },
    { name: 'Revision', type: 'string', description: 'The number of the revision.', cell: ({ revision }) => revision },
    age,
  ],
});
