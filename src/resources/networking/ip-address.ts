import { equalJson } from '../../json/equal.js';
import { type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { dns1123Subdomain, pathSegment } from '../../meta/names.js';
import { METADATA_CHECK } from '../../meta/object-meta-validation.js';
import { defineResource } from '../../registry/resource-definition.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { parseAddr } from '../../values/ip-address.js';
import { usualForm } from '../core/service/service-warnings.js';
import { age, nameColumn } from '../shared/columns.js';
import { validateOptional, validateRequired } from '../shared/value-rules.js';
import { networkingV1beta1 } from './networking-v1beta1.js';
import type { IPAddress } from './networking-v1beta1.types.js';

function validate({ spec: { parentRef } }: IPAddress): FieldError[] {
  const path = 'spec.parentRef';
  if (!parentRef) return [fieldError.required(path)];
  const { group, resource = '', name = '', namespace } = parentRef;
  return [
    ...validateOptional(`${path}.group`, group, dns1123Subdomain),
    ...validateRequired(`${path}.resource`, resource, pathSegment),
    ...validateRequired(`${path}.name`, name, pathSegment),
    ...validateOptional(`${path}.namespace`, namespace, pathSegment),
  ];
}

/** The name is an address in canonical form. */
function nameRule(name: string): readonly string[] {
  const parsed = parseAddr(name);
  if (typeof parsed === 'string') return [parsed];
  return usualForm(name) === name ? [] : ['must be a canonical format IP address'];
}

function validateUpdate(next: IPAddress, { spec: { parentRef: old } }: IPAddress): FieldError[] {
  const { parentRef } = next.spec;
  const errors = [...validate(next), METADATA_CHECK];
  if (equalJson(parentRef ?? null, old ?? null)) return errors;
  const shown = parentRef && printed(printGoSyntax(networkingV1beta1.struct('ParentReference'), parentRef));
  return [...errors, fieldError.invalid('spec.parentRef', shown, 'field is immutable')];
}

/** networking/v1beta1 IPAddress: an allocated service address. The name of the object is the address. */
export const ipAddress = defineResource({
  groupStem: 'networking',
  version: 'v1beta1',
  kind: 'IPAddress',
  plural: 'ipaddresses',
  shortNames: ['ip'],
  metadataChecks: ['whole', 'changes'],
  scope: 'Cluster',
  schema: networkingV1beta1.struct('IPAddress'),
  nameRule,
  strategy: { validate, validateUpdate },
  columns: [
    nameColumn,
    {
      name: 'ParentRef',
      type: 'string',
      description: 'The object that uses the address.',
      cell({ spec: { parentRef } }) {
        if (!parentRef) return '<none>';
        const { group, resource, namespace, name } = parentRef;
        const kind = [resource, group].filter(Boolean).join('.').toLowerCase();
        return [kind, namespace, name].filter(Boolean).join('/');
      },
    },
    // As in upstream, rows contain the age, but the table has no column definition for it.
    { ...age, unnamed: true },
  ],
});
