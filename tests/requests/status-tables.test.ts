import { expect, it } from 'vitest';
import { dialectOf, groupOf } from '../../src/meta/dialect.js';
import { requestsTo } from '../support/ask.js';
import { openServer } from '../support/servers.js';

const claim = { spec: { devices: { requests: [{ name: 'a', deviceClassName: 'c' }] } } };

it.each(['k8s', 'orch'] as const)('the status of some kinds has no Table, in %s', async (name) => {
  const dialect = dialectOf(name);
  await using server = await openServer({
    dialect: name,
    featureGates: { DynamicResourceAllocation: true, DRAControlPlaneController: true },
    runtimeConfig: { 'api/all': true },
  });
  const { get, post } = requestsTo(server);
  const headers = { accept: `application/json;as=Table;g=${groupOf(dialect, 'meta')};v=v1` };
  const tablesOf = async (path: string) => [
    (await get(path, { headers })).status,
    (await get(`${path}/status`, { headers })).status,
  ];
  expect(await tablesOf('/api/v1/namespaces/default')).toEqual([200, 200]);
  for (const [plural, object] of [
    ['resourceclaims', claim],
    ['podschedulingcontexts', { spec: {} }],
  ] as const) {
    const path = `/apis/${groupOf(dialect, 'resource')}/v1alpha3/namespaces/default/${plural}`;
    expect(await post(path, { metadata: { name: 'one' }, ...object })).toMatchObject({ status: 201 });
    expect(await tablesOf(`${path}/one`)).toEqual([200, 406]);
  }
  const registration = `/apis/${groupOf(dialect, 'apiregistration')}/v1/apiservices`;
  expect(await tablesOf(`${registration}/v1.apps`)).toEqual([200, 406]);
});
