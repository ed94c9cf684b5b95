import { type Dialect, domainName, ofDialect } from '../../../meta/dialect.js';

type OldLabels = ReadonlyMap<string, readonly [since: string, name: string]>;

/** Returns the deprecated labels of nodes, each with the release that deprecated it and its new name. */
export const oldLabels = ofDialect((dialect): OldLabels => {
  const name = (prefix: string, rest: string) => `${prefix}${domainName(dialect, rest)}`;
  return new Map([
    [name('beta.', 'arch'), ['1.14', name('', 'arch')]],
    [name('beta.', 'os'), ['1.14', name('', 'os')]],
    [name('failure-domain.beta.', 'region'), ['1.17', name('topology.', 'region')]],
    [name('failure-domain.beta.', 'zone'), ['1.17', name('topology.', 'zone')]],
    [name('beta.', 'instance-type'), ['1.17', name('node.', 'instance-type')]],
  ]);
});

/** Returns a function that returns the warning about a deprecated label of nodes, or undefined for any other label. */
export function oldLabelText(dialect: Dialect): (key: string) => string | undefined {
  const labels = oldLabels(dialect);
  return (key) => {
    const [since, name] = labels.get(key) ?? [];
    return name === undefined ? undefined : `deprecated since v${since}; use "${name}" instead`;
  };
}
