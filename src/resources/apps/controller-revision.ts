import { isJsonObject } from '../../json/value.js';
import { type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { parseGroupVersion } from '../../meta/group-version.js';
import { controllerOf } from '../../meta/owner-references.js';
import { defineRules } from '../../registry/built-in-kind.js';
import { any, type OutputOf, omitNull, required } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { age, nameColumn } from '../fragments/columns.js';
import { long } from '../fragments/core-struct.js';
import { notNegative } from '../fragments/value-rules.js';

const schema = topLevel('io.k8s.api.apps.v1.ControllerRevision', 'A state that a controller can go back to.', () => ({
  data: omitNull(any({ definition: 'io.k8s.apimachinery.pkg.runtime.RawExtension' }), 2, 'The state; immutable.'),
  revision: required(long, 3, 'The number of the revision.'),
}));
export type ControllerRevision = OutputOf<typeof schema>;

const encoder = new TextEncoder();

/** Raw data as messages show them: byte by byte. */
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

/** What owns it: `kind.group/name`. */
function controllerCell({ metadata }: ControllerRevision): string {
  const owner = controllerOf(metadata);
  if (owner === undefined) return '<none>';
  const group = parseGroupVersion(owner.apiVersion)?.group ?? '';
  return `${(group === '' ? owner.kind : `${owner.kind}.${group}`).toLowerCase()}/${owner.name}`;
}

export const controllerRevisionRules = defineRules({
  schema,
  strategy: {
    validate,
    validateUpdate(next, old) {
      // Compared as the text it is: the order of members counts.
      if (JSON.stringify(next.data) === JSON.stringify(old.data)) return validate(next);
      return [...validate(next), fieldError.invalid('data', printedData(next.data), 'field is immutable')];
    },
  },
  columns: [
    nameColumn,
    { name: 'Controller', type: 'string', description: 'The controller it belongs to.', cell: controllerCell },
    { name: 'Revision', type: 'string', description: 'The number of the revision.', cell: ({ revision }) => revision },
    age,
  ],
});
