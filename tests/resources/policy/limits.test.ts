import { describe, expect, it } from 'vitest';
import { limitRange, resourceQuota } from '../../../src/exports/kinds.js';
import { ask } from '../../support/ask.js';
import { openServer } from '../../support/servers.js';
import { created, createErrors, readBody, row, updateErrors } from '../steps.js';

const metadata = { name: 'a', namespace: 'default' };

describe('ResourceQuota', () => {
  const quota = (spec: object) => ({ metadata, spec });
  const errors = (spec: object) => createErrors(resourceQuota, quota(spec));

  it('accepts known resources, and any with a domain', async () => {
    const known = ['pods', 'limits.cpu', 'requests.hugepages-2Mi', 'count/pods', 'requests.example.com/gpu'];
    for (const name of known) expect(await errors({ hard: { [name]: '1' } })).toEqual([]);
    expect(await errors({ hard: { storage: '1' } })).toEqual([
      'spec.hard[storage]: Invalid value: storage: must be a standard resource for quota',
    ]);
    expect(await errors({ hard: { pods: '-1' } })).toEqual([
      'spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0',
    ]);
    expect(await errors({ hard: { pods: '1.5' } })).toEqual([
      expect.stringMatching(/value:15, scale:-1\}.*s:"", Format:"DecimalSI"\}: must be an integer$/),
    ]);
    expect(await errors({ hard: { pods: '1.250' } })).toEqual([
      expect.stringMatching(/value:1250, scale:-3\}.*s:"1.250", Format:"DecimalSI"\}: must be an integer$/),
    ]);
    expect(await errors({ hard: { pods: '-2m' } })).toEqual([
      'spec.hard[pods]: Invalid value: "-2m": must be greater than or equal to 0',
      expect.stringMatching(/value:-2, scale:-3\}.*: must be an integer$/),
    ]);
  });

  it('keeps the text of amounts that upstream takes for canonical', () => {
    const hard = { cpu: '1.250', memory: '+12E6', 'requests.storage': '07Ki' };
    expect(readBody(resourceQuota, quota({ hard })).spec.hard).toEqual(hard);
  });

  it('counts in thousandths at least', () => {
    expect(readBody(resourceQuota, quota({ hard: { cpu: '1u', memory: '1.0001' } })).spec.hard).toEqual({
      cpu: '1m',
      memory: '1001m',
    });
  });

  it('has scopes that fit its resources and each other, and cannot be changed', async () => {
    expect(await errors({ hard: { pods: '1' }, scopes: ['BestEffort', 'Terminating'] })).toEqual([]);
    expect(await errors({ hard: { secrets: '1' }, scopes: ['Terminating'] })).toEqual([
      'spec.scopes: Invalid value: []core.ResourceQuotaScope{"Terminating"}: unsupported scope applied to resource',
    ]);
    const selector = (scopeName: string, operator: string) => ({
      scopeSelector: { matchExpressions: [{ scopeName, operator, values: ['a'] }] },
    });
    expect(await errors({ hard: { cpu: '1' }, ...selector('PriorityClass', 'In') })).toEqual([]);
    expect(await errors({ hard: { cpu: '1' }, ...selector('BestEffort', 'Exists') })).toEqual([
      expect.stringMatching(/^spec\.scopeSelector\.matchExpressions: Invalid value: core\.ScopeSelector\{.*resource$/),
      expect.stringContaining("must be no value when `operator` is 'Exist' or 'DoesNotExist'"),
    ]);
    const old = created(resourceQuota, quota({ scopes: ['BestEffort', 'Terminating'] }));
    expect(await updateErrors(resourceQuota, quota({ scopes: ['Terminating', 'BestEffort'] }), old)).toEqual([]);
    expect(await updateErrors(resourceQuota, quota({ scopes: ['Terminating'] }), old)).toEqual([
      'spec.scopes: Invalid value: []core.ResourceQuotaScope{"Terminating"}: field is immutable',
    ]);
  });

  it('prints limits separately from requests', () => {
    const hard = { pods: '2', 'limits.cpu': '1', 'count/secrets': '3' };
    const shown = readBody(resourceQuota, { ...quota({ hard }), status: { hard, used: { pods: '1' } } });
    expect(row(resourceQuota, shown, 0).slice(2)).toEqual(['count/secrets: 0/3, pods: 1/2', 'limits.cpu: 0/1']);
  });
});

describe('LimitRange', () => {
  it('has a name, even when the client gave none', async () => {
    await using server = await openServer({ dialect: 'k8s' });
    const path = '/api/v1/namespaces/default/limitranges';
    const { status, value } = await ask(server, { method: 'POST', path, body: { spec: { limits: [] } } });
    expect([status, value.metadata.name]).toEqual([
      201,
      expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    ]);
    expect((await ask(server, { path: `${path}/${value.metadata.name}` })).status).toBe(200);
  });

  const range = (...limits: object[]) => ({ metadata, spec: { limits } });

  it('sets the defaults of containers from its limits', () => {
    const [limit] = readBody(
      limitRange,
      range({ type: 'Container', min: { cpu: '1', memory: '1' }, max: { cpu: '2' } }),
    ).spec.limits;
    expect(limit).toMatchObject({ default: { cpu: '2' }, defaultRequest: { cpu: '2', memory: '1' } });
    expect(readBody(limitRange, range({ type: 'Pod', max: { cpu: '2' } })).spec.limits).toEqual([
      { type: 'Pod', max: { cpu: '2' } },
    ]);
  });

  it('has amounts that are consistent', async () => {
    const texts = async (...limits: object[]) =>
      (await createErrors(limitRange, range(...limits))).map((text) =>
        text.replace(/resource\.Quantity.*?\}.*?\}.*?\}/, 'Q'),
      );
    expect(await texts({ type: 'Pod', min: { cpu: '2' }, max: { cpu: '1' } })).toEqual([
      'spec.limits[0].min[cpu]: Invalid value: Q: min value 2 is greater than max value 1',
    ]);
    expect(
      await texts({ type: 'Pod', min: { cpu: '2' }, max: { cpu: '3' }, maxLimitRequestRatio: { cpu: '2' } }),
    ).toEqual([
      'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: Q: ratio 2 is greater than max/min = 1.500000',
    ]);
    const pages = { 'hugepages-2Mi': '2Mi' };
    expect(await texts({ type: 'Container', default: { 'hugepages-2Mi': '4Mi' }, defaultRequest: pages })).toEqual([
      expect.stringContaining('default value 4Mi must equal to defaultRequest value 2Mi in hugepages-2Mi'),
    ]);
  });

  it('has each type once, and known types only', async () => {
    expect(await createErrors(limitRange, range({ type: 'Pod' }, { type: 'example.com/x' }, { type: 'Pod' }))).toEqual([
      'spec.limits[2].type: Duplicate value: "Pod"',
    ]);
    expect(await createErrors(limitRange, range({ type: 'Node' }))).toEqual([
      'spec.limits[0].type: Invalid value: "Node": must be a standard limit type or fully qualified',
    ]);
  });
});
