import { describe, expect, it } from 'vitest';
import { nextStatus } from '../../src/custom-resources/naming.js';
import { k8s } from '../../src/meta/dialect.js';
import type { CustomResourceDefinition } from '../../src/resources/apiextensions/index.js';

/* Facts of upstream's tests of the controllers for names and approvals of definitions. */

type Names = readonly [plural: string, singular?: string, kind?: string, listKind?: string, ...shortNames: string[]];

const namesOf = ([plural, singular = '', kind = '', listKind = '', ...shortNames]: Names) => ({
  plural,
  ...(singular && { singular }),
  kind,
  ...(listKind && { listKind }),
  ...(shortNames.length > 0 && { shortNames }),
});
const definition = (spec: Names, accepted: Names, group = 'bravo.com', conditions: readonly object[] = []) =>
  ({
    metadata: { name: `${spec[0]}.${group}` },
    spec: { group, names: namesOf(spec), versions: [] },
    status: { acceptedNames: namesOf(accepted), storedVersions: [], conditions },
  }) as unknown as CustomResourceDefinition;

const NOW = '2024-01-01T00:00:00Z';
const NONE: Names = [''];
const ALFA: Names = ['alfa', 'delta', 'echo', 'foxtrot', 'golf', 'hotel'];
const OLD: Names = ['zulu', 'yankee', 'xray', 'whiskey', 'victor', 'uniform'];
const used = (name: string) => `"${name}" is already in use`;

describe('names in definitions', () => {
  const rows: readonly (readonly [string, Names, Names, Names, Names, string?, string?])[] = [
    ['the first of a group', ['alfa'], NONE, NONE, ['alfa']],
    [
      'a plural that is a singular',
      ALFA,
      NONE,
      ['india', 'alfa'],
      ['', ...ALFA.slice(1)] as unknown as Names,
      'PluralConflict',
      'alfa',
    ],
    [
      'a singular that is short',
      ALFA,
      NONE,
      ['india', 'indias', '', '', 'delta'],
      ['alfa', '', 'echo', 'foxtrot', 'golf', 'hotel'],
      'SingularConflict',
      'delta',
    ],
    [
      'a short name that is one',
      ALFA,
      NONE,
      ['india', 'indias', '', '', 'hotel'],
      ['alfa', 'delta', 'echo', 'foxtrot'],
      'ShortNamesConflict',
      'hotel',
    ],
    [
      'a kind that is one of lists',
      ALFA,
      NONE,
      ['india', 'indias', '', 'echo'],
      ['alfa', 'delta', '', 'foxtrot', 'golf', 'hotel'],
      'KindConflict',
      'echo',
    ],
    [
      'a kind of lists that is a kind',
      ALFA,
      NONE,
      ['india', 'indias', 'foxtrot'],
      ['alfa', 'delta', 'echo', '', 'golf', 'hotel'],
      'ListKindConflict',
      'foxtrot',
    ],
    ['a kind that is a resource', ALFA, NONE, ['india', 'echo'], ALFA],
    [
      'it keeps what it has of those it does not get',
      ALFA,
      OLD,
      ['india', 'indias', 'foxtrot', '', 'delta'],
      ['alfa', 'yankee', 'echo', 'whiskey', 'golf', 'hotel'],
      'ListKindConflict',
      'foxtrot',
    ],
    [
      'short names are had together',
      ALFA,
      OLD,
      ['india', 'indias', 'foxtrot', '', 'delta', 'golf'],
      ['alfa', 'yankee', 'echo', 'whiskey', 'victor', 'uniform'],
      'ListKindConflict',
      'foxtrot',
    ],
    [
      'a short name that goes',
      ['alfa', 'delta', 'echo', 'foxtrot', 'golf'],
      ALFA,
      NONE,
      ['alfa', 'delta', 'echo', 'foxtrot', 'golf'],
    ],
    [
      'a name that it has for something else',
      ['alfa', 'golf', 'echo', 'foxtrot', 'delta'],
      ALFA,
      NONE,
      ALFA,
      'ShortNamesConflict',
      'delta',
    ],
  ];
  it.each(rows.map((row) => [row[0], row] as const))('%s', (_name, row) => {
    const [, wanted, had, other, names, reason = '', taken = ''] = row;
    for (const before of [
      [],
      [{ type: 'NamesAccepted', status: 'True' }],
      [{ type: 'NamesAccepted', status: 'False' }],
    ]) {
      const given = definition(wanted, had, 'bravo.com', before);
      const { acceptedNames, conditions } = nextStatus(
        given,
        [definition(['india'], other)],
        k8s,
        undefined,
        NOW,
      ).status;
      expect(acceptedNames).toEqual(namesOf(names));
      expect(conditions?.map(({ lastTransitionTime: _time, ...condition }) => condition)).toEqual([
        reason === ''
          ? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
          : { type: 'NamesAccepted', status: 'False', reason, message: used(taken) },
        reason === ''
          ? {
              type: 'Established',
              status: 'True',
              reason: 'InitialNamesAccepted',
              message: 'the initial names have been accepted',
            }
          : { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' },
      ]);
    }
  });
});

const SEE = 'see https://github.com/kubernetes/enhancements/pull/1111';
it.each([
  ['a group that is not protected needs none', 'other.io', '', undefined, ''],
  [
    'a protected group needs the annotation',
    'sigs.k8s.io',
    '',
    'False',
    `protected groups must have approval annotation "api-approved.kubernetes.io", ${SEE}`,
  ],
  [
    'an annotation without a URL or reason is invalid',
    'sigs.k8s.io',
    'bad value',
    'False',
    `protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", ${SEE}`,
  ],
  [
    'a URL with an invalid escape is invalid',
    'sigs.k8s.io',
    'https://example.com/%zz',
    'False',
    `protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", ${SEE}`,
  ],
  [
    'a URL approves',
    'sigs.k8s.io',
    'https://github.com/kubernetes/kubernetes/pull/79724',
    'True',
    'approved in https://github.com/kubernetes/kubernetes/pull/79724',
  ],
  [
    'a reason starting with unapproved does not approve',
    'sigs.k8s.io',
    'unapproved for reasons',
    'False',
    'not approved: "unapproved for reasons"',
  ],
])('the approval of an API group: %s', (_name, group, annotation, status, message) => {
  const given = definition(['alfa'], NONE, group);
  const metadata = { ...given.metadata, annotations: { 'api-approved.kubernetes.io': annotation } };
  const { conditions } = nextStatus({ ...given, metadata }, [], k8s, undefined, NOW).status;
  const found = conditions?.find(({ type }) => type === 'KubernetesAPIApprovalPolicyConformant');
  expect(found && [found.status, found.message]).toEqual(status && [status, message]);
});

it('reads the first of several conditions of one type, as upstream does', () => {
  const condition = (type: string, status: string) => ({ type, status, lastTransitionTime: NOW });
  const conditions = [
    condition('NamesAccepted', 'True'),
    condition('Established', 'False'),
    condition('Established', 'True'),
  ];
  const given = definition(['alfa'], ['alfa'], 'bravo.com', conditions);
  const { status: next } = nextStatus(given, [], k8s, undefined, NOW);
  expect(next.conditions?.map(({ type, status }) => `${type} ${status}`)).toEqual([
    'NamesAccepted True',
    'Established True',
    'Established True',
  ]);
});
