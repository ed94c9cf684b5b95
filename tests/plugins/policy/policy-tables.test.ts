import { describe, expect, it } from 'vitest';
import type { AuditEvent } from '../../../src/audit/audit-event.js';
import {
  configMap,
  namespace as namespaceKind,
  priorityClass,
  secret,
  validatingAdmissionPolicy,
  validatingAdmissionPolicyBinding,
} from '../../../src/exports/kinds.js';
import { outcome } from '../../authorization/server.js';
import { fetchFrom } from '../../support/ask.js';
import { closeAfterTest, openServer } from '../../support/servers.js';

/* Facts of upstream's tests of the plug-in, its dispatcher and its conditions, as tables. */

const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['secrets'] };

async function begun() {
  const events: AuditEvent[] = [];
  const sink = {
    mode: 'blocking' as const,
    write: (records: readonly { readonly event: AuditEvent }[]) => void events.push(...records.map((one) => one.event)),
  };
  const policy = { rules: [{ level: 'Metadata' as const }], omitStages: ['RequestReceived' as const] };
  const server = closeAfterTest(
    await openServer({ audit: { policy, sinks: [sink] }, controllers: { mode: 'stepped' } }),
  );
  const client = server.client();
  const policyOf = (name: string, spec: object) =>
    client.create(validatingAdmissionPolicy, {
      metadata: { name },
      spec: { matchConstraints: { resourceRules: [rule] }, ...spec },
    } as never);
  const bind = (name: string, policyName: string, spec: object = {}) =>
    client.create(validatingAdmissionPolicyBinding, {
      metadata: { name },
      spec: { policyName, validationActions: ['Deny'], ...spec },
    } as never);
  const create = (name: string, within = 'default') =>
    outcome(client.create(secret, { metadata: { name, namespace: within } }));
  /** Returns the admission annotations of the last request. */
  const annotations = () =>
    Object.fromEntries(
      Object.entries(events.at(-1)?.annotations ?? {}).filter(([key]) => !key.startsWith('authorization.')),
    );
  return { server, client, policyOf, bind, create, annotations };
}

describe('parameters', () => {
  const NAME = 'replicas';
  const [yes, no, other] = [{ match: 'yes' }, { match: 'no' }, { unrelated: 'no' }];
  const NAMESPACED: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
    [NAME, 'default', no],
    [NAME, 'mine', no],
    [NAME, 'elsewhere', no],
    [`${NAME}1`, 'default', yes],
    [`${NAME}1`, 'mine', yes],
    [`${NAME}1`, 'elsewhere', yes],
    [`${NAME}2`, 'mine', other],
    [`${NAME}2`, 'elsewhere', other],
    [`${NAME}3`, 'default', other],
    [`${NAME}3`, 'mine', yes],
    [`${NAME}3`, 'elsewhere', yes],
  ];
  const CLUSTER = [
    [NAME, yes],
    [`${NAME}1`, no],
    [`${NAME}2`, other],
    [`${NAME}3`, yes],
  ] as const;
  const kinds = [
    ['of a namespace', false],
    ['of the cluster', true],
  ] as const;
  const refs = [
    ['by name', { name: NAME }, (name: string) => name === NAME],
    ['by labels', { selector: { matchLabels: yes } }, (_name: string, labels: object) => labels === yes],
    ['all of them', { selector: {} }, () => true],
  ] as const;
  const rows = kinds.flatMap(([scope, ofCluster]) =>
    (ofCluster ? [''] : ['', 'mine']).flatMap((namespace) =>
      refs.flatMap(([how, ref, picks]) =>
        (['Deny', 'Allow'] as const).map(
          (action) =>
            [
              `${scope}, ${how}${namespace && ', in a given one'}, ${action}`,
              ofCluster,
              namespace,
              ref,
              picks,
              action,
            ] as const,
        ),
      ),
    ),
  );

  it.each(rows)('%s', async (_name, ofCluster, namespace, ref, picks, action) => {
    const { server, client, policyOf, bind } = await begun();
    for (const name of ['mine', 'elsewhere']) await client.create(namespaceKind, { metadata: { name } });
    for (const [name, namespace, labels] of NAMESPACED)
      await client.create(configMap, { metadata: { name, namespace, labels } });
    for (const [name, labels] of CLUSTER) await client.create(priorityClass, { metadata: { name, labels }, value: 1 });
    const paramKind = ofCluster
      ? { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass' }
      : { apiVersion: 'v1', kind: 'ConfigMap' };
    const both = { ...rule, resources: ['secrets', 'namespaces'] };
    await policyOf('p', {
      paramKind,
      matchConstraints: { resourceRules: [both] },
      validations: [
        {
          expression: 'false',
          messageExpression: "params.metadata.?namespace.orValue('') + '/' + params.metadata.name + ' ' + params.kind",
        },
      ],
    });
    await bind('b', 'p', {
      paramRef: { ...ref, ...(namespace && { namespace }), parameterNotFoundAction: action },
      validationActions: ['Warn'],
    });
    /** Returns the parameters with which a request was evaluated. */
    const judged = async (path: string, kind: string, dryRun = 'All') => {
      const answer = await fetchFrom(server, `${path}?dryRun=${dryRun}`, {
        method: 'POST',
        body: { apiVersion: 'v1', kind, metadata: { name: 'asked' } },
      });
      const warned = [...(answer.headers.get('warning') ?? '').matchAll(/'b': ([^"]*)"/g)];
      const { message = '' } = (await answer.json()) as { message?: string };
      return { status: answer.status, message, params: warned.map(([, text]) => text).sort() };
    };
    const expected = (home: string) =>
      ofCluster
        ? CLUSTER.filter(([name, labels]) => picks(name, labels)).map(([name]) => `/${name} PriorityClass`)
        : NAMESPACED.filter(([name, within, labels]) => within === (namespace || home) && picks(name, labels)).map(
            ([name, within]) => `${within}/${name} ConfigMap`,
          );
    const ofNamespace = await judged('/api/v1/namespaces/elsewhere/secrets', 'Secret');
    // Every server has priority classes of its own.
    const own = (params: readonly (string | undefined)[]) => params.filter((each) => !each?.startsWith('/system-'));
    expect(ofNamespace.status).toBe(201);
    expect(own(ofNamespace.params)).toEqual(expected('elsewhere').sort());

    const ofTheCluster = await judged('/api/v1/namespaces', 'Namespace');
    if (ofCluster || namespace !== '') {
      expect(ofTheCluster.status).toBe(201);
      expect(own(ofTheCluster.params)).toEqual(expected('').sort());
    } else {
      // For a Namespace object, the namespace is its own name, even if it does not exist yet.
      expect(ofTheCluster.status).toBe(action === 'Deny' ? 422 : 201);
      if (action === 'Deny') expect(ofTheCluster.message).toContain('no params found for policy binding');
    }

    if (ofCluster) for (const [name] of CLUSTER) await client.delete(priorityClass, name);
    else for (const within of ['mine', 'elsewhere']) await client.deleteCollection(configMap, { namespace: within });
    const gone = await judged('/api/v1/namespaces/elsewhere/secrets', 'Secret');
    expect(own(gone.params)).toEqual([]);
    const isLeftAlone = gone.params.length === 0;
    expect(gone.status).toBe(isLeftAlone && action === 'Deny' ? 422 : 201);
    if (isLeftAlone && action === 'Deny')
      expect(gone.message).toContain(
        'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
      );
  });
});

const never = { validations: [{ expression: 'false', message: "I'm sorry Dave" }] };
const failure = (validationActions: readonly string[], more: object = {}) => ({
  message: "I'm sorry Dave",
  policy: 'p',
  binding: 'b',
  expressionIndex: 0,
  validationActions,
  ...more,
});
const FAILURES = 'validation.policy.admission.k8s.io/validation_failure';

describe('the effect of a failure', () => {
  it.each([
    [['Deny'], 422, false],
    [['Audit'], 201, true],
    [['Warn'], 201, false],
    [['Deny', 'Audit'], 422, true],
    [['Warn', 'Audit'], 201, true],
  ] as const)('%j', async (validationActions, status, audited) => {
    const { server, policyOf, bind, annotations } = await begun();
    await policyOf('p', never);
    await bind('b', 'p', { validationActions });
    const answer = await fetchFrom(server, '/api/v1/namespaces/default/secrets', {
      method: 'POST',
      body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } },
    });
    expect(answer.status).toBe(status);
    const warning = `"Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': I'm sorry Dave"`;
    const warned = (validationActions as readonly string[]).includes('Warn');
    expect(answer.headers.get('warning')).toBe(warned ? `299 - ${warning}` : null);
    expect(annotations()).toEqual(audited ? { [FAILURES]: JSON.stringify([failure(validationActions)]) } : {});
  });

  it('of several failures, only the first is annotated', async () => {
    const { policyOf, bind, create, annotations } = await begun();
    const second = { expression: 'false', message: 'second' };
    await policyOf('p', { validations: [{ expression: 'true' }, ...never.validations, second] });
    await policyOf('q', { validations: [second] });
    await bind('b', 'p', { validationActions: ['Audit'] });
    await bind('c', 'q', { validationActions: ['Audit'] });
    expect(await create('s')).toMatchObject({ code: 200 });
    expect(annotations()).toEqual({ [FAILURES]: JSON.stringify([failure(['Audit'], { expressionIndex: 1 })]) });
  });

  it('annotations of several bindings are joined, without duplicates, and cut to 10 KiB', async () => {
    const { client, policyOf, bind, create, annotations } = await begun();
    for (const [name, text] of Object.entries({ a: 'one', b: 'two', c: 'one', d: 'ü'.repeat(6000) }))
      await client.create(configMap, { metadata: { name, namespace: 'default' }, data: { text } });
    await policyOf('p', {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      auditAnnotations: [{ key: 'said', valueExpression: 'string(params.data.text)' }],
    });
    const bound = (name: string) =>
      bind(name, 'p', { paramRef: { name, parameterNotFoundAction: 'Deny' }, validationActions: ['Audit'] });
    for (const name of ['a', 'b', 'c']) await bound(name);
    await create('s');
    expect(annotations()).toEqual({ 'p/said': 'one, two' });
    for (const name of ['a', 'b', 'c']) await client.delete(validatingAdmissionPolicyBinding, name);
    await bound('d');
    await create('t');
    expect(annotations()).toEqual({ 'p/said': 'ü'.repeat(5120) });
  });
});

describe('policies and their bindings', () => {
  const because = async (asked: Promise<{ readonly message?: string | undefined }>) =>
    /denied request: (.*)$/.exec((await asked).message ?? '')?.[1];

  it('an unknown kind of parameters fails the policy, not the binding', async () => {
    const { policyOf, bind, create } = await begun();
    await policyOf('p', { ...never, paramKind: { apiVersion: 'example.com/v1', kind: 'BadParamKind' } });
    await bind('b', 'p', { paramRef: { name: 'x', parameterNotFoundAction: 'Deny' } });
    expect(await because(create('s'))).toBe(
      "failed to configure policy: failed to find resource referenced by paramKind: 'example.com/v1, Kind=BadParamKind'",
    );
  });

  it('a binding without a reference is evaluated without parameters, and a reference without a kind is ignored', async () => {
    const { policyOf, bind, create, client } = await begun();
    const validations = [{ expression: 'false', messageExpression: "params == null ? 'none' : 'some'" }];
    await policyOf('p', { validations, paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } });
    await bind('b', 'p');
    expect(await because(create('s'))).toBe('none');
    await client.delete(validatingAdmissionPolicy, 'p');
    await policyOf('p', never);
    await client.delete(validatingAdmissionPolicyBinding, 'b');
    await bind('b', 'p', { paramRef: { name: 'x', parameterNotFoundAction: 'Deny' } });
    expect(await because(create('s'))).toBe("I'm sorry Dave");
  });

  it('several policies may have the same kind of parameters, and removing it from one does not affect the others', async () => {
    const { policyOf, bind, create, client } = await begun();
    await client.create(configMap, { metadata: { name: 'x', namespace: 'default' }, data: { text: 'by x' } });
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    const paramRef = { name: 'x', parameterNotFoundAction: 'Deny' };
    await policyOf('first', { paramKind, validations: [{ expression: 'params != null' }] });
    await policyOf('second', {
      paramKind,
      validations: [{ expression: 'false', messageExpression: 'string(params.data.text)' }],
    });
    await bind('b1', 'first', { paramRef });
    await bind('b2', 'second', { paramRef });
    expect(await because(create('s'))).toBe('by x');
    await client.update(validatingAdmissionPolicy, 'first', (draft) => {
      delete draft.spec.paramKind;
      draft.spec.validations = [{ expression: 'true' }];
    });
    expect(await because(create('s'))).toBe('by x');
    await client.delete(validatingAdmissionPolicy, 'second');
    expect(await create('s')).toMatchObject({ code: 200 });
  });

  it('a changed binding takes effect at once', async () => {
    const { policyOf, bind, create, client } = await begun();
    await client.create(configMap, { metadata: { name: 'x', namespace: 'default' } });
    await policyOf('p', { ...never, paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } });
    await bind('b', 'p', { paramRef: { name: 'x', parameterNotFoundAction: 'Deny' } });
    expect(await because(create('s'))).toBe("I'm sorry Dave");
    await client.update(validatingAdmissionPolicyBinding, 'b', (draft) => {
      if (draft.spec.paramRef) draft.spec.paramRef.name = 'y';
    });
    expect(await because(create('s'))).toContain('no params found');
    await client.create(configMap, { metadata: { name: 'y', namespace: 'default' } });
    expect(await because(create('s'))).toBe("I'm sorry Dave");
    await client.delete(validatingAdmissionPolicyBinding, 'b');
    expect(await create('s')).toMatchObject({ code: 200 });
  });

  it('match conditions see parameters, but no namespace', async () => {
    const { policyOf, bind, create, client } = await begun();
    await client.create(configMap, { metadata: { name: 'x', namespace: 'default' }, data: { names: 's' } });
    await policyOf('p', {
      ...never,
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConditions: [
        { name: 'namespace', expression: 'namespaceObject == null' },
        { name: 'parameters', expression: 'params.data.names == object.metadata.name' },
      ],
    });
    await bind('b', 'p', { paramRef: { name: 'x', parameterNotFoundAction: 'Deny' } });
    expect(await create('t')).toMatchObject({ code: 200 });
    expect(await because(create('s'))).toBe("I'm sorry Dave");
  });
});
