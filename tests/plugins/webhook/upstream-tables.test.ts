import { describe, expect, it } from 'vitest';
import type { AdmissionAttributes, ResourceForm } from '../../../src/admission/admission-plugin.js';
import { matchRules, type Rule } from '../../../src/admission/matching/rule.js';
import { selects } from '../../../src/admission/matching/selectors.js';
import { k8s } from '../../../src/meta/dialect.js';
import type { Lister } from '../../../src/meta/host.js';
import { matchResources } from '../../../src/plugins/policy/validating-policy.js';
import { decodeReview, readReview, reviewFor } from '../../../src/plugins/webhook/review.js';
import { type Go, isRecord, lowered } from '../../support/go-structs.js';
import { cases, hasSharedData } from '../../support/shared-data.js';

interface Call {
  readonly $call: string;
  readonly args: readonly unknown[];
}
interface Names {
  readonly group: string;
  readonly version: string;
  readonly [name: string]: string;
}

const NAMESPACES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '1': { runlevel: '1' },
  '2': { runlevel: '2' },
  ns: {},
};
const namespaces = {
  get: (_namespace: string, name: string) => ({ metadata: { name, labels: NAMESPACES[name] } }),
} as unknown as Lister;

const names = (value: unknown, member: 'kind' | 'resource'): Names => {
  if (isRecord(value) && '$call' in value) {
    const [group, version, last] = (value as unknown as Call).args as string[];
    return { group: group ?? '', version: version ?? '', [member]: last ?? '' };
  }
  return { group: '', version: '', [member]: '', ...(lowered(value ?? {}) as object) } as Names;
};
const objectOf = (value: unknown) => (isRecord(value) ? { metadata: lowered(value['ObjectMeta'] ?? {}) } : undefined);
const nameOf = (value: unknown) => (isRecord(value) ? String(value['$sel']).replace(/\D/g, '') : String(value));

/** The attributes of a request in a table. */
function attributesOf({ $call, args }: Call): AdmissionAttributes {
  if ($call !== 'admission.NewAttributesRecord') {
    const [group, version, resource, subresource, name, operation] = args as string[];
    const namespace = $call === 'clusterScopedAttributes' ? '' : 'ns';
    const made = { resource: { group, version, resource }, subresource, name, namespace, operation };
    return { ...made, kind: { group, version, kind: `k${resource}` } } as unknown as AdmissionAttributes;
  }
  const [object, oldObject, kind, namespace, name, resource, subresource, operation] = args;
  const of = names(resource, 'resource');
  return {
    object: objectOf(object),
    oldObject: objectOf(oldObject),
    kind: names(kind, 'kind'),
    resource: of,
    namespace: nameOf(namespace),
    // For a Namespace, the name of the object is also its namespace.
    name: of['resource'] === 'namespaces' && nameOf(namespace) !== '' ? nameOf(namespace) : nameOf(name),
    subresource,
    operation,
  } as unknown as AdmissionAttributes;
}

/** A rule in the form of Go, whose embedded parts are one object in JSON. */
function ruleOf(go: Go): Rule {
  const { Rule: inner = {}, RuleWithOperations, APIGroups, APIVersions, ...own } = go;
  return {
    ...(APIGroups ? { apiGroups: APIGroups as string[] } : {}),
    ...(APIVersions ? { apiVersions: APIVersions as string[] } : {}),
    ...(lowered(own) as object),
    ...(isRecord(inner) && Object.keys(inner).length > 0 ? ruleOf(inner) : {}),
    ...(isRecord(RuleWithOperations) ? ruleOf(RuleWithOperations) : {}),
  };
}

describe.skipIf(!hasSharedData)("the upstream's tables of admission", () => {
  interface RuleRow {
    readonly rule: Go;
    readonly match?: Call;
    readonly noMatch?: Call;
  }
  // Each table is about one part of a rule.
  const TABLES: Readonly<Record<string, (rule: Rule) => Rule>> = {
    TestGroup: ({ apiGroups = [] }) => ({ ...every, apiGroups }),
    TestVersion: ({ apiVersions = [] }) => ({ ...every, apiVersions }),
    TestOperation: ({ operations = [] }) => ({ ...every, operations }),
    TestResource: ({ resources = [] }) => ({ ...every, resources }),
    TestScope: ({ resources = [], scope = '*' }) => ({ ...every, resources: [...resources, '*/*'], scope }),
  };
  const every: Rule = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] };
  const rules = Object.keys(TABLES).flatMap((test) =>
    Object.entries(cases<Record<string, RuleRow>>('admission', test, 'table')).map(
      ([name, row]) => [`${test} ${name}`, test, row] as const,
    ),
  );
  it.each(rules)('rules: %s', (_name, test, { rule, match, noMatch }) => {
    const whole = TABLES[test]?.(ruleOf(rule)) ?? every;
    const matches = (call: unknown) => {
      const attributes = attributesOf(call as Call);
      const own = { resource: attributes.resource, kind: attributes.kind } as ResourceForm;
      return matchRules([whole], undefined, attributes, [own]) !== undefined;
    };
    expect((match?.args ?? []).map(matches)).not.toContain(false);
    expect((noMatch?.args ?? []).map(matches)).not.toContain(true);
  });

  interface SelectorRow {
    readonly name: string;
    readonly objectSelector: Go;
    readonly attrs: Call;
    readonly expectCall: boolean;
  }
  // An object without metadata has another type in upstream's test.
  const selectors = cases<SelectorRow[]>('admission', 'TestObjectSelector', 'testcases').filter(
    ({ name }) => !name.startsWith('does not match object that does not implement'),
  );
  it.each(selectors.map((row) => [row.name, row] as const))('selectors: %s', (_name, row) => {
    const { objectSelector, attrs, expectCall } = row;
    const found = selects({ objectSelector: lowered(objectSelector) as object }, attributesOf(attrs), namespaces);
    expect(found).toEqual({ matches: expectCall });
  });

  interface LabelRow {
    readonly name: string;
    readonly attr: Call;
    readonly expectedLabels: Readonly<Record<string, string>>;
  }
  const labels = cases<LabelRow[]>('admission', 'TestGetNamespaceLabels', 'tests');
  it.each(labels.map((row) => [row.name, row] as const))('labels of namespaces: %s', (_name, row) => {
    const attributes = attributesOf(row.attr);
    // The table has an object for a DELETE, which requests lack.
    const given = attributes.operation === 'DELETE' ? { ...attributes, object: undefined } : attributes;
    const matches = (matchLabels: Readonly<Record<string, string>>) =>
      selects({ namespaceSelector: { matchLabels } }, given, namespaces).matches;
    expect(matches(row.expectedLabels)).toBe(true);
    expect(matches({ runlevel: 'other' })).toBe(false);
  });

  interface MatchRow {
    readonly name: string;
    readonly criteria: Go;
    readonly attrs: Call;
    readonly expectMatches: boolean;
    readonly expectMatchKind?: Call;
    readonly expectMatchResource?: Call;
    readonly expectErr?: string;
  }
  const form = (group: string, version: string, subresource: string, own: Names): ResourceForm => {
    const kind = subresource === '' ? 'Deployment' : 'Scale';
    const isApps = group === 'apps' && version === 'v1';
    return {
      resource: { group, version, resource: own['resource'] ?? '' },
      kind: kind === 'Scale' && isApps ? { group: 'autoscaling', version: 'v1', kind } : { group, version, kind },
    } as ResourceForm;
  };
  // An empty list of rules is absent after it was stored.
  const matched = cases<MatchRow[]>('admission', 'TestMatcher', 'testcases').filter(
    ({ name }) => name !== 'no rules (just write)',
  );
  it.each(matched.map((row) => [row.name, row] as const))('policies: %s', (_name, row) => {
    const { criteria, attrs, expectMatches, expectMatchKind, expectMatchResource, expectErr = '' } = row;
    const attributes = attributesOf(attrs);
    const { resource, kind, subresource } = attributes;
    const others = [
      ['extensions', 'v1beta1'],
      ['apps', 'v1'],
      ['apps', 'v1beta1'],
      ['apps', 'v1alpha1'],
    ]
      .filter(([group, version]) => group !== resource.group || version !== resource.version)
      .map(([group = '', version = '']) => form(group, version, subresource, resource as unknown as Names));
    const { ResourceRules, ExcludeResourceRules, ...own } = criteria;
    const all = (list: unknown) => (list === undefined ? undefined : (list as Go[]).map(ruleOf));
    const match = {
      ...(lowered(own) as object),
      resourceRules: all(ResourceRules),
      excludeResourceRules: all(ExcludeResourceRules),
    };
    const found = () =>
      matchResources(match as never, attributes, [{ resource, kind } as ResourceForm, ...others], namespaces);
    if (expectErr !== '') {
      expect(found).toThrow(expectErr);
      return;
    }
    const got = found();
    expect(got !== undefined).toBe(expectMatches);
    if (expectMatchResource) expect(got?.resource).toEqual(names(expectMatchResource, 'resource'));
    if (expectMatchKind) expect(got?.kind).toEqual(names(expectMatchKind, 'kind'));
  });

  interface ReviewRow {
    readonly name: string;
    readonly uid: string;
    readonly mutating?: boolean;
    readonly review: Go;
    readonly expectErr?: string;
    readonly expectAllowed?: boolean;
    readonly expectPatch?: string;
    readonly expectPatchType?: string | Call;
    readonly expectAuditAnnotations?: Readonly<Record<string, string>>;
    readonly expectResult?: Go;
  }
  const givenValue = (value: unknown) =>
    isRecord(value) && '$call' in value ? (value as unknown as Call).args[0] : value;
  const reviews = cases<ReviewRow[]>('admission', 'TestVerifyAdmissionResponse', 'testcases');
  it.each(reviews.map((row) => [row.name, row] as const))('answers: %s', (name, row) => {
    const { TypeMeta = {}, Response } = row.review as { TypeMeta?: Go; Response?: Go };
    const { UID, Patch, PatchType, Result, AuditAnnotations, ...others } = Response ?? {};
    const response = {
      ...(lowered(others) as object),
      ...(UID ? { uid: UID } : {}),
      ...(Patch ? { patch: btoa(String(Patch)) } : {}),
      ...(PatchType !== undefined ? { patchType: givenValue(PatchType) } : {}),
      ...(Result ? { status: lowered(Result) } : {}),
      ...(AuditAnnotations ? { auditAnnotations: AuditAnnotations } : {}),
    };
    const { APIVersion, Kind } = TypeMeta as Readonly<Record<string, string>>;
    const answer = { ...(APIVersion && { apiVersion: APIVersion, kind: Kind }), ...(Response ? { response } : {}) };
    const asked = `admission.k8s.io/${name.startsWith('v1beta1') ? 'v1beta1' : 'v1'}`;
    const answered = () => readReview(decodeReview(answer as never), asked, row.uid, row.mutating ?? false);
    if (row.expectErr !== undefined) {
      expect(answered).toThrow(row.expectErr);
      return;
    }
    const { allowed, patch, patchType, auditAnnotations, status } = answered();
    expect(allowed).toBe(row.expectAllowed);
    expect(atob(patch)).toBe(row.expectPatch ?? '');
    if (row.expectPatch !== undefined) expect(patchType).toBe(givenValue(row.expectPatchType));
    expect(auditAnnotations).toEqual(row.expectAuditAnnotations ?? {});
    // The Go struct always has metadata, even if no field of it is set.
    expect(status).toEqual(row.expectResult && { metadata: {}, ...(lowered(row.expectResult) as object) });
  });

  interface AskRow {
    readonly name: string;
    readonly invocation: { readonly Webhook: Call; readonly Kind?: Go; readonly Resource?: Go };
    readonly attrs?: { readonly Attributes: Call };
    readonly expectErr?: string;
  }
  const asks = cases<AskRow[]>('admission', 'TestCreateAdmissionObjects', 'testcases');
  it.each(asks.map((row) => [row.name, row] as const))(
    'questions: %s',
    async (name, { invocation, attrs, expectErr }) => {
      const { AdmissionReviewVersions = [] } = (invocation.Webhook.args[2] ?? {}) as Go;
      const hook = { admissionReviewVersions: AdmissionReviewVersions };
      const from = async () => ({ metadata: { name: 'other form' } });
      const other = { kind: lowered(invocation.Kind ?? {}), resource: lowered(invocation.Resource ?? {}), from };
      const call = attrs?.Attributes ?? { $call: 'admission.NewAttributesRecord', args: [] };
      const given = {
        ...attributesOf(call),
        object: { metadata: { name: 'new' } },
        oldObject: { metadata: { name: 'old' } },
        options: { fieldManager: 'foo' },
        dryRun: false,
        user: { username: 'myuser', uid: 'myuid', groups: ['mygroup'], extra: { extrakey: ['value1', 'value2'] } },
      };
      const review = await reviewFor({ hook, form: other } as never, given as never, 'uid', k8s);
      if (expectErr !== undefined) {
        expect(review).toBeUndefined();
        return;
      }
      const beta = { group: 'extensions', version: 'v1beta1' };
      const apps = { group: 'apps', version: 'v1' };
      expect(review).toMatchObject({
        kind: 'AdmissionReview',
        apiVersion: `admission.k8s.io/${name}`,
        request: {
          uid: 'uid',
          kind: { ...beta, kind: 'Deployment' },
          resource: { ...beta, resource: 'deployments' },
          requestKind: { ...apps, kind: 'Deployment' },
          requestResource: { ...apps, resource: 'deployments' },
          name: 'myname',
          namespace: 'myns',
          operation: 'UPDATE',
          userInfo: given.user,
          object: { metadata: { name: 'other form' } },
          oldObject: { metadata: { name: 'other form' } },
          dryRun: false,
          options: { apiVersion: 'meta.k8s.io/v1', kind: 'UpdateOptions', fieldManager: 'foo' },
        },
      });
    },
  );

  it('has many cases', () => void expect(rules.length + reviews.length + matched.length).toBeGreaterThan(60));
});
