import { fieldError, formatFieldErrors, printValue } from '../../../src/meta/field-error.js';
import {
  configMapKey,
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  labelValue,
  qualifiedName,
} from '../../../src/meta/names.js';
import { parseFieldSelector } from '../../../src/selectors/field-selector.js';
import { labelRequirement } from '../../../src/selectors/label-requirement.js';
import { parseLabelSelector } from '../../../src/selectors/label-selector.js';
import { parseQuantity } from '../../../src/values/quantity.js';
import { parseTime } from '../../../src/values/time.js';
import { type GrowthRow, numbered, row } from './measure.js';

export const rows: readonly GrowthRow[] = [
  row('label selector: many requirements', 1_000, parseLabelSelector, (n) => numbered(n, (i) => `k${i}=v`, ',')),
  row('label selector: many values', 2_000, parseLabelSelector, (n) => `k in (${numbered(n, (i) => `v${i}`, ',')})`),
  row('label selector: bad values', 2_000, parseLabelSelector, (n) => `k in (${numbered(n, (i) => `-${i}`, ',')})`),
  row('label selector: commas', 50_000, parseLabelSelector, (n) => `k in (${','.repeat(n)})`),
  row('label selector: brackets', 50_000, parseLabelSelector, (n) => '('.repeat(n)),
  row('label selector: spaces', 100_000, parseLabelSelector, (n) => `k${' '.repeat(n)}=v`),
  row('label selector: a long key', 100_000, parseLabelSelector, (n) => `${'a'.repeat(n)}=v`),
  row('field selector: many terms', 2_000, parseFieldSelector, (n) => numbered(n, (i) => `k${i}=v`, ',')),
  row('field selector: backslashes', 30_000, parseFieldSelector, (n) => `k=${'\\,'.repeat(n)}`),
  row('field selector: commas', 30_000, parseFieldSelector, (n) => ','.repeat(n)),
  row('field selector: no operator', 30_000, parseFieldSelector, (n) => `${'a,'.repeat(n)}`),
  ...[dns1123Label, dns1123Subdomain, dns1035Label, qualifiedName, labelValue, configMapKey].flatMap((rule) => [
    row(`${rule.name}: a long name`, 200_000, rule, (n) => `${'a'.repeat(n)}!`),
    row(`${rule.name}: dots`, 100_000, rule, (n) => `${'a.'.repeat(n)}!`),
    row(`${rule.name}: dashes`, 100_000, rule, (n) => `a${'-'.repeat(n)}`),
    row(`${rule.name}: slashes`, 100_000, rule, (n) => `${'a/'.repeat(n)}`),
  ]),
  row('quantity: digits', 5_000, parseQuantity, (n) => `${'1'.repeat(n)}x`),
  row('quantity: zeros', 20_000, parseQuantity, (n) => `0.${'0'.repeat(n)}x`),
  row('time: digits', 50_000, parseTime, (n) => `2026-01-01T00:00:00.${'1'.repeat(n)}`),
  row(
    'field error: a long value',
    100_000,
    (text) => printValue(text),
    (n) => '\u0001'.repeat(n),
  ),
  {
    name: 'field errors: many',
    n: 5_000,
    prepare: (n) => {
      const errors = Array.from({ length: n }, (_, i) => fieldError.invalid(`a[${i}]`, 'x', 'y'));
      return () => formatFieldErrors(errors);
    },
  },
  {
    name: 'label requirement: many values',
    n: 2_000,
    prepare: (n) => {
      const values = Array.from({ length: n }, (_, i) => `v${i}`);
      return () => labelRequirement('k', 'in', values);
    },
  },
];
