import {
  adaptDynamic,
  compile,
  createEnvironment,
  DYN,
  kubernetesLibraries,
  parseDuration,
  type Value,
} from 'orch-apiserver/cel';
import { parseAddress } from '../../../src/cel/libraries/network/address.js';
import { parseUri, queryValues } from '../../../src/values/uri.js';
import { type GrowthRow, numbers } from './measure.js';

const environment = createEnvironment({
  libraries: kubernetesLibraries(31),
  variables: [{ name: 'self', type: DYN }],
});
const evaluation = (name: string, n: number, rule: string, make: (n: number) => unknown): GrowthRow => ({
  name: `an expression: ${name}`,
  n,
  prepare: (size) => {
    const program = compile(environment, environment.parse(rule));
    const self = adaptDynamic(make(size)) as Value;
    return () => program.evaluate({ self });
  },
});
const reading = (name: string, n: number, read: (n: number) => unknown): GrowthRow => ({
  name: `a text of expressions: ${name}`,
  n,
  prepare: (size) => () => read(size),
});

export const rows: readonly GrowthRow[] = [
  evaluation('all', 20_000, 'self.all(x, x >= 0)', numbers),
  evaluation('map and filter', 5_000, 'self.map(x, x + 1).filter(x, x > 2).size() > 0', numbers),
  evaluation('comparing', 20_000, 'self == self', numbers),
  evaluation('a pattern that explodes elsewhere', 2_000, "self.matches('^(a+)+$')", (n) => `${'a'.repeat(n)}!`),
  evaluation('splitting and joining', 20_000, "self.split(',').join(';')", (n) => 'ab,'.repeat(n)),
  evaluation('replacing nothing', 20_000, "self.replace('', '-')", (n) => 'a'.repeat(n)),
  evaluation('trimming', 200_000, 'self.trim()', (n) => `a${' '.repeat(n)}a`),
  evaluation('formatting', 5_000, "'%s'.format([self])", numbers),
  evaluation('quoting', 50_000, 'strings.quote(self)', (n) => '"'.repeat(n)),
  evaluation('reading a quantity', 50_000, 'isQuantity(self)', (n) => '9'.repeat(n)),
  reading('a duration', 50_000, (n) => parseDuration('1h'.repeat(n))),
  reading('an address', 50_000, (n) => parseAddress('1:'.repeat(n))),
  reading('a URL', 50_000, (n) => parseUri(`https://a/${'%41'.repeat(n)}`)),
  reading('a query', 20_000, (n) => queryValues('a=b&'.repeat(n))),
];
