import { equalJson } from '../../json/equal.js';
import { type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { METADATA_CHECK } from '../../meta/object-meta-validation.js';
import { defineResource } from '../../registry/resource-definition.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { familyOf, parsePrefix, parseRange } from '../../values/ip-address.js';
import { usualRange } from '../core/service/service-warnings.js';
import { age, nameColumn } from '../shared/columns.js';
import { keepSpec } from '../shared/workload.js';
import { networkingV1beta1 } from './networking-v1beta1.js';
import type { ServiceCIDR } from './networking-v1beta1.types.js';

const PATH = 'spec.cidrs';

function validate({ spec: cidrSpec }: ServiceCIDR): FieldError[] {
  const { cidrs = [] } = cidrSpec;
  const refuse = (why: string) => [
    fieldError.invalid(
      PATH,
      printed(printGoSyntax(networkingV1beta1.struct('ServiceCIDRSpec'), cidrSpec, 'networking')),
      why,
    ),
  ];
  if (cidrs.length === 0) return [fieldError.required(PATH, 'at least one CIDR required')];
  if (cidrs.length > 2) return refuse('may only hold up to 2 values');
  const families = new Set(cidrs.map((cidr) => familyOf(parseRange(cidr)?.first ?? new Uint8Array())));
  if (cidrs.length === 2 && (families.size < 2 || !cidrs.every(parseRange)))
    return refuse('may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64');
  return cidrs.flatMap((cidr, i) => validateRange(`${PATH}[${i}]`, cidr));
}

/** Checks that a range has no host bits and is in canonical form. */
function validateRange(path: string, cidr: string): FieldError[] {
  const refuse = (why: string) => fieldError.invalid(path, cidr, why);
  const parsed = parsePrefix(cidr);
  if (typeof parsed === 'string') return [refuse(parsed)];
  const first = parseRange(cidr)?.first;
  return [
    ...(parsed.bytes.every((byte, i) => byte === first?.[i])
      ? []
      : [refuse("wrong CIDR format, IP doesn't match network IP address")]),
    ...(usualRange(cidr) === cidr ? [] : [refuse('CIDR not in RFC 5952 canonical format')]),
  ];
}

/** networking/v1beta1 ServiceCIDR: ranges for service addresses. */
export const serviceCIDR = defineResource({
  groupStem: 'networking',
  version: 'v1beta1',
  kind: 'ServiceCIDR',
  plural: 'servicecidrs',
  metadataChecks: ['whole', 'changes'],
  scope: 'Cluster',
  schema: networkingV1beta1.struct('ServiceCIDR'),
  // As in upstream, an update of the object can also change the status. Upstream declares the reset fields for a group in which the kind
  // does not exist, so the writer becomes the owner of the status fields.
  strategy: {
    validate,
    validateUpdate(next, { spec: { cidrs: old = [] } }) {
      const { cidrs = [] } = next.spec;
      const errors = equalJson(cidrs, old) ? [] : [fieldError.invalid(PATH, cidrs, 'field is immutable')];
      return [...validate(next), METADATA_CHECK, ...errors];
    },
  },
  subresources: {
    status: { strategy: { prepareForUpdate: keepSpec, validateUpdate: () => [] } },
  },
  columns: [
    nameColumn,
    { name: 'CIDRs', type: 'string', description: 'The ranges.', cell: ({ spec: { cidrs = [] } }) => cidrs.join(',') },
    age,
  ],
});
