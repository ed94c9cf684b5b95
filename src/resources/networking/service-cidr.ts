import { equalJson } from '../../json/equal.js';
import { type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { defineRules } from '../../registry/built-in-kind.js';
import { always, listAtomic, listMap, type OutputOf, omitEmpty, struct } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { age, nameColumn } from '../fragments/columns.js';
import { condition } from '../fragments/condition.js';
import { text } from '../fragments/core-struct.js';
import { familyOf, parseRange, validateRange } from '../fragments/ip-address.js';
import { byType, keepSpec } from '../fragments/workload.js';

const SPEC = 'The ranges.';
const STATUS = 'What was found about it.';
const spec = struct('io.k8s.api.networking.v1beta1.ServiceCIDRSpec', SPEC, () => ({
  cidrs: omitEmpty(listAtomic(text), 1, 'One range, or one of each family; fixed.'),
}));
const status = struct('io.k8s.api.networking.v1beta1.ServiceCIDRStatus', STATUS, () => ({
  conditions: omitEmpty(listMap(condition, ['type']), 1, 'Its conditions.', byType),
}));
const schema = topLevel(
  'io.k8s.api.networking.v1beta1.ServiceCIDR',
  'Ranges that services get addresses from.',
  () => ({
    spec: always(spec, 2, SPEC),
    status: always(status, 3, STATUS),
  }),
);
export type ServiceCIDR = OutputOf<typeof schema>;

const PATH = 'spec.cidrs';

function validate({ spec: given }: ServiceCIDR): FieldError[] {
  const { cidrs = [] } = given;
  const refuse = (why: string) => [fieldError.invalid(PATH, printed(printGoSyntax(spec, given, 'networking')), why)];
  if (cidrs.length === 0) return [fieldError.required(PATH, 'at least one CIDR required')];
  if (cidrs.length > 2) return refuse('may only hold up to 2 values');
  const families = new Set(cidrs.map((cidr) => familyOf(parseRange(cidr)?.first ?? new Uint8Array())));
  if (cidrs.length === 2 && (families.size < 2 || !cidrs.every(parseRange)))
    return refuse('may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64');
  return cidrs.flatMap((cidr, i) => validateRange(`${PATH}[${i}]`, cidr));
}

export const serviceCIDRRules = defineRules({
  schema,
  // Its status is written on either route, and owned by whoever writes it there: the reference resets fields of a group that it has not.
  strategy: {
    validate,
    validateUpdate: ({ spec: { cidrs = [] } }, { spec: { cidrs: old = [] } }) =>
      equalJson(cidrs, old) ? [] : [fieldError.invalid(PATH, cidrs, 'field is immutable')],
  },
  subresources: {
    status: { strategy: { prepareForUpdate: keepSpec, validateUpdate: () => [] } },
  },
  columns: [
    nameColumn,
    { name: 'CIDRs', type: 'string', description: SPEC, cell: ({ spec: { cidrs = [] } }) => cidrs.join(',') },
    age,
  ],
});
