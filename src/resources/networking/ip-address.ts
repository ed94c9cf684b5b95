import { equalJson } from '../../json/equal.js';
import { type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { dns1123Subdomain, pathSegment } from '../../meta/names.js';
import { defineRules } from '../../registry/built-in-kind.js';
import { always, type OutputOf, omitEmpty, omitNull, struct } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { age, nameColumn } from '../fragments/columns.js';
import { text } from '../fragments/core-struct.js';
import { validateAddress } from '../fragments/ip-address.js';
import { checked, named } from '../fragments/value-rules.js';

const parentReference = struct(
  'io.k8s.api.networking.v1beta1.ParentReference',
  'The object that has the address.',
  () => ({
    group: omitEmpty(text, 1, 'Its group.'),
    resource: omitEmpty(text, 2, 'Its resource.'),
    namespace: omitEmpty(text, 3, 'Its namespace.'),
    name: omitEmpty(text, 4, 'Its name.'),
  }),
);

const spec = struct('io.k8s.api.networking.v1beta1.IPAddressSpec', 'Who has the address.', () => ({
  parentRef: omitNull(parentReference, 1, 'The object that has the address; fixed.'),
}));

const schema = topLevel('io.k8s.api.networking.v1beta1.IPAddress', 'An address that is taken: its name.', () => ({
  spec: always(spec, 2, 'Who has the address.'),
}));
export type IPAddress = OutputOf<typeof schema>;

function validate({ spec: { parentRef } }: IPAddress): FieldError[] {
  const path = 'spec.parentRef';
  if (!parentRef) return [fieldError.required(path)];
  const { group, resource = '', name = '', namespace } = parentRef;
  return [
    ...checked(`${path}.group`, group, dns1123Subdomain),
    ...named(`${path}.resource`, resource, pathSegment),
    ...named(`${path}.name`, name, pathSegment),
    ...checked(`${path}.namespace`, namespace, pathSegment),
  ];
}

export const ipAddressRules = defineRules({
  schema,
  nameRule: (name) => validateAddress('', name).map(({ detail = '' }) => detail),
  strategy: {
    validate,
    validateUpdate: ({ spec: { parentRef } }, { spec: { parentRef: old } }) =>
      equalJson(parentRef ?? null, old ?? null)
        ? []
        : [
            fieldError.invalid(
              'spec.parentRef',
              parentRef && printed(printGoSyntax(parentReference, parentRef)),
              'field is immutable',
            ),
          ],
  },
  columns: [
    nameColumn,
    {
      name: 'ParentRef',
      type: 'string',
      description: 'The object that has the address.',
      cell({ spec: { parentRef } }) {
        if (!parentRef) return '<none>';
        const { group, resource, namespace, name } = parentRef;
        const kind = [resource, group].filter(Boolean).join('.').toLowerCase();
        return [kind, namespace, name].filter(Boolean).join('/');
      },
    },
    // Its rows tell the age, but no column says so: as upstream has it.
    { ...age, unnamed: true },
  ],
});
