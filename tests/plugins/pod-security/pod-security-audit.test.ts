import { expect, it } from 'vitest';
import type { AdmissionAttributes, AdmissionHost } from '../../../src/admission/admission-plugin.js';
import { namesRequest } from '../../../src/admission/matching/rule.js';
import type { ApiObject } from '../../../src/meta/object-meta.js';
import { podSecurity } from '../../../src/plugins/pod-security/pod-security.js';
import { fakeHost } from '../../support/hosts.js';

/*
 * Upstream's table of the audit annotations of admission: the labels of a namespace, the old and the new pod, and the annotations without
 * their domain; `refused` if the request is refused as well.
 */
const DOMAIN = 'pod-security.kubernetes.io/';
const EXEMPTIONS = { usernames: ['exempt'], namespaces: ['exempt-ns'], runtimeClasses: ['exempt-class'] };
type Spec = Readonly<Record<string, unknown>>;
const spec = (more: Spec = {}): Spec => ({ containers: [{ name: 'c', image: 'i' }], ...more });
const other = (image: string, more: Spec = {}) => spec({ containers: [{ name: 'c', image }], ...more });
const bad = { hostPID: true };
const VIOLATION = 'host namespaces (hostPID=true)';
const SECCOMP = 'container.seccomp.security.alpha.kubernetes.io/c';

interface Row {
  readonly labels?: Readonly<Record<string, string>>;
  readonly old?: Spec;
  readonly next: Spec;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly user?: string;
  readonly namespace?: string;
  readonly resource?: string;
  readonly expected: Readonly<Record<string, string>>;
}

function annotationsOf({ labels = {}, old, next, annotations = {}, user = 'u', namespace = 'n', resource }: Row) {
  const found: Record<string, string> = {};
  const metadata = {
    name: namespace,
    labels: Object.fromEntries(Object.entries(labels).map(([name, value]) => [DOMAIN + name, value])),
  };
  const lister = () => ({ get: () => ({ metadata }), list: () => [] });
  const plugin = podSecurity({ exemptions: EXEMPTIONS })({ ...fakeHost(), lister } as unknown as AdmissionHost);
  const asObject = (of: Spec | undefined, own: object = {}) =>
    of &&
    (resource === undefined
      ? { metadata: { name: 'p', ...own }, spec: of }
      : { metadata: {}, spec: { template: { spec: of } } });
  const group = resource === undefined ? '' : 'apps';
  const attributes = {
    operation: old ? 'UPDATE' : 'CREATE',
    resource: { group, version: 'v1', resource: resource ?? 'pods' },
    kind: { group, version: 'v1', kind: 'X' },
    subresource: '',
    namespace,
    name: 'p',
    user: { username: user },
    object: asObject(next, { annotations }),
    oldObject: asObject(old),
    warn: (text: string) => {
      found['warned'] = text.replace(/^.*?: /, '');
    },
    annotate: (key: string, value: string) => {
      found[key.replace(DOMAIN, '')] = value;
    },
  } as unknown as AdmissionAttributes<ApiObject>;
  expect(plugin.rules?.some((rule) => namesRequest(rule, attributes, attributes.resource))).toBe(true);
  try {
    plugin.validate?.(attributes);
  } catch (error) {
    found['refused'] = (error as Error).message.replace(/^.*?: violates PodSecurity /, '');
  }
  return found;
}

const BASELINE = { enforce: 'baseline' };
const AUDITED = `would violate PodSecurity "baseline:latest": ${VIOLATION}`;
const refusal = {
  'enforce-policy': 'baseline:latest',
  refused: `"baseline:latest": ${VIOLATION}`,
  'audit-violations': AUDITED,
};
it.each<[string, Row]>([
  [
    'notes the policy if every pod is allowed',
    { next: spec(bad), expected: { 'enforce-policy': 'privileged:latest' } },
  ],
  [
    'notes the policy of an update if every pod is allowed',
    { old: spec(), next: spec(bad), expected: { 'enforce-policy': 'privileged:latest' } },
  ],
  [
    'notes the latest version of the policy privileged',
    {
      labels: { enforce: 'privileged', 'enforce-version': 'v1.20' },
      next: spec(),
      expected: { 'enforce-policy': 'privileged:latest' },
    },
  ],
  ['notes a refusal, without a warning', { labels: BASELINE, next: spec(bad), expected: refusal }],
  [
    'notes nothing for an update of other fields',
    { labels: BASELINE, old: spec(bad), next: spec({ ...bad, hostname: 'h' }), expected: {} },
  ],
  [
    'notes a refusal for another image',
    { labels: BASELINE, old: other('a', bad), next: other('b', bad), expected: refusal },
  ],
  [
    'notes a refusal for another seccomp annotation',
    { labels: BASELINE, old: spec(bad), next: spec(bad), annotations: { [SECCOMP]: 'x' }, expected: refusal },
  ],
  [
    'notes a refusal for an added ephemeral container',
    {
      labels: BASELINE,
      old: spec(bad),
      next: spec({ ...bad, ephemeralContainers: [{ name: 'e', image: 'i' }] }),
      expected: refusal,
    },
  ],
  [
    'notes nothing for a removed ephemeral container',
    {
      labels: BASELINE,
      old: spec({ ...bad, ephemeralContainers: [{ name: 'e', image: 'i' }] }),
      next: spec(bad),
      expected: {},
    },
  ],
  ['notes an exempt user', { labels: BASELINE, user: 'exempt', next: spec(bad), expected: { exempt: 'user' } }],
  [
    'notes an exempt user whose update changes nothing',
    { labels: BASELINE, user: 'exempt', old: spec(), next: spec(), expected: { exempt: 'user' } },
  ],
  [
    'notes an exempt namespace before an exempt user',
    { labels: BASELINE, namespace: 'exempt-ns', user: 'exempt', next: spec(bad), expected: { exempt: 'namespace' } },
  ],
  [
    'notes an exempt runtime class',
    {
      labels: BASELINE,
      next: spec({ ...bad, runtimeClassName: 'exempt-class' }),
      expected: { exempt: 'runtimeClass' },
    },
  ],
  [
    'notes the policy for an exempt runtime class if every pod is allowed',
    { next: spec({ runtimeClassName: 'exempt-class' }), expected: { 'enforce-policy': 'privileged:latest' } },
  ],
  [
    'notes the violations of a pod template',
    {
      labels: BASELINE,
      resource: 'deployments',
      next: spec(bad),
      expected: { 'audit-violations': AUDITED, warned: VIOLATION },
    },
  ],
  [
    'notes nothing for a pod template if every pod is allowed',
    { resource: 'deployments', next: spec({ ...bad, runtimeClassName: 'exempt-class' }), expected: {} },
  ],
  [
    'notes labels that cannot be parsed',
    {
      labels: { audit: 'strict' },
      next: spec(),
      expected: {
        'enforce-policy': 'privileged:latest',
        error:
          'Failed to parse policy: metadata.labels[pod-security.kubernetes.io/audit]: Invalid value: "strict": must be one of privileged, baseline, restricted',
      },
    },
  ],
])('%s', (_, row) => expect(annotationsOf(row)).toEqual(row.expected));
