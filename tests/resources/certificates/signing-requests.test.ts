import { beforeAll, describe, expect, it } from 'vitest';
import { createCertificateAuthority } from '../../../src/pki/certificate-authority.js';
import { createFakeClock } from '../../../src/testing/fake-clock.js';
import { makeRequest } from '../../pki/make-request.js';
import { requestsTo } from '../../support/ask.js';
import { everybodyIs, openSuiteServer } from '../../support/servers.js';

// Certificate signing requests as clients of `orch` see them, from creation to certificate (spec 15.1 to 15.8, 19.12 to 19.18).
const BASE = '/apis/certificates.orch.io/v1/certificatesigningrequests';
const NOW = '2030-01-01T00:00:00Z';
const USER = { username: 'jane', uid: 'u-1', groups: ['devs', 'ops'], extra: { team: ['a', 'b'] } };
const USAGES = [
  ...['signing', 'digital signature', 'content commitment', 'key encipherment', 'key agreement', 'data encipherment'],
  ...['cert sign', 'crl sign', 'encipher only', 'decipher only', 'any', 'server auth', 'client auth', 'code signing'],
  ...['email protection', 's/mime', 'ipsec end system', 'ipsec tunnel', 'ipsec user', 'timestamping', 'ocsp signing'],
  ...['microsoft sgc', 'netscape sgc'],
];

const server = openSuiteServer({ dialect: 'orch', clock: createFakeClock(NOW), authentication: [everybodyIs(USER)] });
const { get, post, put, merge, apply, remove } = requestsTo(server);
let pem: string;
let issued: readonly string[];
beforeAll(async () => {
  pem = (await makeRequest()).pem;
  const make = async (commonName: string) => (await createCertificateAuthority({ commonName })).certificate;
  issued = [await make('issued'), await make('intermediate')];
});

let made = 0;
/** Creates a signing request. Returns its path and the response. */
async function create(spec: object = {}, more: object = {}) {
  const name = `request-${++made}`;
  const body = {
    metadata: { name },
    spec: { request: btoa(pem), signerName: 'example.com/signer', usages: ['client auth'], ...spec },
    ...more,
  };
  return { path: `${BASE}/${name}`, ...(await post(BASE, body)) };
}
const refusal = async (spec: object) => {
  const { status, message } = await create(spec);
  return [status, message.replace(/^.* is invalid: /, '')];
};
const condition = (type: string, more: object = {}) => ({ type, status: 'True', reason: 'R', message: 'M', ...more });
/** Writes conditions or a certificate to a subresource, and keeps the existing ones. */
async function write(path: string, subresource: 'approval' | 'status', status: object) {
  const { value } = await get(path);
  return put(`${path}/${subresource}`, { ...value, status: { ...value.status, ...status } });
}
const approve = (path: string, ...types: string[]) =>
  write(path, 'approval', { conditions: types.map((type) => condition(type)) });
const sign = (path: string, certificate: string) => write(path, 'status', { certificate: btoa(certificate) });
const brief = ({ status, message }: { status: number; message: string }) => [
  status,
  ...(message ? [message.replace(/^.* is invalid: /, '')] : []),
];

describe('the spec of a signing request', () => {
  it('has the creator set by the server, whatever the client sends', async () => {
    const lies = { username: 'root', uid: '0', groups: ['system:masters'], extra: { team: ['none'] } };
    const { status, value } = await create(lies);
    expect(status).toBe(201);
    expect(value).toMatchObject({ apiVersion: 'certificates.orch.io/v1', kind: 'CertificateSigningRequest' });
    expect(value.metadata.namespace).toBeUndefined();
    expect(value.spec).toEqual({
      request: btoa(pem),
      signerName: 'example.com/signer',
      usages: ['client auth'],
      ...USER,
      groups: [...USER.groups, 'system:authenticated'],
    });
  });

  it('cannot be changed: a write of it is ignored', async () => {
    const { path, value } = await create();
    const spec = { ...value.spec, signerName: 'example.com/other', username: 'root', usages: ['any'] };
    for (const subresource of ['', '/status', '/approval']) {
      const answer = await put(path + subresource, { ...value, spec });
      expect([answer.status, answer.value.spec]).toEqual([200, value.spec]);
    }
  });

  it('requires a request, a signer and usages', async () => {
    expect((await refusal({ request: null }))[0]).toBe(422);
    const legacy = 'spec.signerName: Invalid value: "orch.io/legacy-unknown": the legacy signerName is not allowed';
    expect(await refusal({ signerName: undefined })).toEqual([422, 'spec.signerName: Required value']);
    expect(await refusal({ usages: [] })).toEqual([422, 'spec.usages: Required value']);
    expect(await refusal({ signerName: 'unqualified' })).toEqual([422, expect.stringContaining('spec.signerName: ')]);
    expect(await refusal({ signerName: 'orch.io/legacy-unknown' })).toEqual([422, expect.stringContaining(legacy)]);
  });

  it('has a name that can be part of a path, which is checked last', async () => {
    const named = (spec: object) => create(spec, { metadata: { name: 'a%b' } });
    const name = 'metadata.name: Invalid value: "a%b": may not contain \'%\'';
    expect((await named({})).message).toContain(name);
    const other = await named({ usages: [] });
    expect(other.message).toContain('spec.usages: Required value');
    expect(other.message).not.toContain('metadata.name');
  });

  it('has known usages without duplicates, in the given order', async () => {
    const { status, value } = await create({ usages: USAGES });
    expect([status, value.spec.usages]).toEqual([201, USAGES]);
    expect(await refusal({ usages: ['any', 'any'] })).toEqual([422, 'spec.usages[1]: Duplicate value: "any"']);
    const [, unknown = ''] = await refusal({ usages: ['Any'] });
    expect(unknown).toMatch(/^spec\.usages\[0\]: Unsupported value: "Any": supported values: /);
    expect([...String(unknown).matchAll(/"([^"]+)"/g)].map(([, usage]) => usage).sort()).toEqual(
      ['Any', ...USAGES].sort(),
    );
  });

  it('is selectable by the name of its signer', async () => {
    const { path } = await create({ signerName: 'example.com/rare' });
    const query = 'fieldSelector=spec.signerName%3Dexample.com/rare';
    const names = async (asked: string) =>
      (await get(`${BASE}?${asked}`)).value.items.map((item: Named) => item.metadata.name);
    expect(await names(query)).toEqual([path.split('/').at(-1)]);
    expect((await names('')).length).toBeGreaterThan(1);
  });

  it('has atomic lists of groups and usages', async () => {
    const { value } = await get('/openapi/v3/apis/certificates.orch.io/v1');
    const properties = value.components.schemas['io.orch.api.certificates.v1.CertificateSigningRequestSpec'].properties;
    expect(properties.groups['x-orch-list-type']).toBe('atomic');
    expect(properties.usages['x-orch-list-type']).toBe('atomic');
    const status = value.components.schemas['io.orch.api.certificates.v1.CertificateSigningRequestStatus'].properties;
    expect(status.certificate['x-orch-list-type']).toBe('atomic');
    expect(status.conditions).toMatchObject({ 'x-orch-list-type': 'map', 'x-orch-list-map-keys': ['type'] });
  });
});
interface Named {
  readonly metadata: { readonly name: string };
}

describe('conditions of a signing request', () => {
  it('get the times at which they were set', async () => {
    const { path } = await create();
    const { status, value } = await approve(path, 'Approved');
    expect([status, value.status.conditions]).toEqual([
      200,
      [{ ...condition('Approved'), lastUpdateTime: NOW, lastTransitionTime: NOW }],
    ]);
  });

  it('keep given times', async () => {
    const { path } = await create();
    const times = { lastUpdateTime: '2029-01-01T00:00:00Z', lastTransitionTime: '2029-02-01T00:00:00Z' };
    const { value } = await write(path, 'approval', { conditions: [condition('Denied', times)] });
    expect(value.status.conditions).toEqual([condition('Denied', times)]);
  });

  it.each([
    [['Approved', 'Denied'], 'status.conditions[1].type: Invalid value: "Denied": Approved and Denied conditions'],
    [['Denied', 'Approved'], 'status.conditions[1].type: Invalid value: "Approved": Approved and Denied conditions'],
    [['Approved', 'Approved'], 'status.conditions[1].type: Duplicate value: "Approved"'],
    [['Ready'], 'status.conditions[0].type: Unsupported value: "Ready"'],
    [[''], 'status.conditions[0].type: Required value'],
    [['Failed'], 'status.conditions: Forbidden: updates may not add a condition of type "Failed"'],
  ])('of type %j cannot be set by an approval', async (types, why) => {
    const { path } = await create();
    expect(brief(await approve(path, ...types))).toEqual([422, expect.stringContaining(why)]);
  });

  it.each(['Approved', 'Denied'])('of type %s are always True, and cannot be removed', async (type) => {
    const { path } = await create();
    for (const status of ['False', 'Unknown'])
      expect(brief(await write(path, 'approval', { conditions: [condition(type, { status })] }))).toEqual([
        422,
        `status.conditions[0].status: Unsupported value: "${status}": supported values: "True"`,
      ]);
    expect(brief(await write(path, 'approval', { conditions: [condition(type, { status: '' })] }))).toEqual([
      422,
      'status.conditions[0].status: Required value',
    ]);
    expect((await approve(path, type)).status).toBe(200);
    const other = type === 'Approved' ? 'Denied' : 'Approved';
    for (const types of [[], [other]])
      expect(brief(await approve(path, ...types))).toEqual([
        422,
        expect.stringContaining(`updates may not remove a condition of type "${type}"`),
      ]);
    expect((await approve(path, type, other)).status).toBe(422);
  });

  it('can be set by a patch of the approval', async () => {
    const { path } = await create();
    const body = { status: { conditions: [condition('Approved')] } };
    const { status, value } = await merge(`${path}/approval`, body);
    expect([status, value.status.conditions[0].type]).toEqual([200, 'Approved']);
  });

  it('of type Failed are set by the status, after Approved, without a certificate, and cannot be removed', async () => {
    const { path } = await create();
    const fail = (...types: string[]) => write(path, 'status', { conditions: types.map((type) => condition(type)) });
    expect(brief(await fail('Failed'))).toEqual([
      422,
      'status.conditions: Forbidden: updates may not add a condition of type "Failed" without a condition of type "Approved"',
    ]);
    await approve(path, 'Approved');
    expect((await fail('Approved', 'Failed')).value.status.conditions).toMatchObject([
      { type: 'Approved' },
      { type: 'Failed', status: 'True' },
    ]);
    // Conditions that a write of the status omits are kept.
    expect((await sign(path, issued[0] ?? '')).status).toBe(422);
    const signed = await create();
    await approve(signed.path, 'Approved');
    await sign(signed.path, issued[0] ?? '');
    const late = { conditions: [condition('Approved'), condition('Failed')] };
    expect(brief(await write(signed.path, 'status', late))).toEqual([
      422,
      'status.conditions: Forbidden: updates may not add a condition of type "Failed" beside a certificate',
    ]);
  });

  it('of types Approved and Denied cannot be set by the status', async () => {
    const { path } = await create();
    for (const type of ['Approved', 'Denied'])
      expect(brief(await write(path, 'status', { conditions: [condition(type)] }))).toEqual([
        422,
        `status.conditions: Forbidden: updates may not add a condition of type "${type}"`,
      ]);
  });
});

describe('the certificate of a signing request', () => {
  it('is set after the approval, once', async () => {
    const { path, value } = await create();
    const before = 'status.certificate: Forbidden: updates may not set certificate content without a condition of type';
    expect(brief(await sign(path, issued[0] ?? ''))).toEqual([422, `${before} "Approved"`]);
    await approve(path, 'Approved');
    const text = `before\n${issued[0]}between\n${issued[1]}after\n`;
    const signed = await sign(path, text);
    expect([signed.status, atob(signed.value.status.certificate)]).toEqual([200, text]);
    expect(brief(await sign(path, issued[0] ?? ''))).toEqual([
      422,
      'status.certificate: Forbidden: updates may not modify existing certificate content',
    ]);
    expect((await get(path)).value.spec).toEqual(value.spec);
  });

  it('cannot be set on a request that was denied', async () => {
    const { path } = await create();
    await approve(path, 'Denied');
    expect(brief(await sign(path, issued[0] ?? ''))[0]).toBe(422);
    expect((await get(path)).value.status.certificate).toBeUndefined();
  });

  it('is ignored in a write of the approval', async () => {
    const { path } = await create();
    const { status, value } = await write(path, 'approval', {
      conditions: [condition('Approved')],
      certificate: btoa(issued[0] ?? ''),
    });
    expect([status, value.status.certificate]).toEqual([200, undefined]);
  });

  const body = (text: string) => text.replace(/-----[^-]+-----\n?/g, '');
  it.each<[string, (certificate: string) => string]>([
    ['other text', () => 'text'],
    ['blocks with another label', (certificate) => certificate.replaceAll('CERTIFICATE', 'PUBLIC KEY')],
    ['blocks with headers', (certificate) => certificate.replace('CERTIFICATE-----\n', 'CERTIFICATE-----\na: b\n\n')],
    ['blocks without a certificate', () => '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
    [
      'a certificate before another block',
      (certificate) => `${certificate}-----BEGIN X-----\n${body(certificate)}-----END X-----\n`,
    ],
  ])('must be PEM of certificates, not %s', async (_what, of) => {
    const { path } = await create();
    await approve(path, 'Approved');
    const [status, message] = brief(await sign(path, of(issued[0] ?? '')));
    expect([status, message]).toEqual([422, expect.stringContaining('status.certificate: Invalid value: ')]);
  });
});

describe('operations on signing requests', () => {
  it('return the object, its list or a Status', async () => {
    const { path, status } = await create();
    expect(status).toBe(201);
    for (const subresource of ['', '/approval', '/status']) {
      const at = path + subresource;
      const found = await get(at);
      expect([found.status, found.value.kind]).toEqual([200, 'CertificateSigningRequest']);
      const updated = await put(at, found.value);
      expect([updated.status, updated.value.kind]).toEqual([200, 'CertificateSigningRequest']);
      const patched = await merge(at, { metadata: { labels: { a: 'b' } } });
      expect([patched.status, patched.value.kind]).toEqual([200, 'CertificateSigningRequest']);
    }
    const list = await get(BASE);
    expect(list.value).toMatchObject({ kind: 'CertificateSigningRequestList', apiVersion: 'certificates.orch.io/v1' });
    expect(list.value.metadata.resourceVersion).toMatch(/^\d+$/);
    const gone = await remove(path, { gracePeriodSeconds: 0, propagationPolicy: 'Background' });
    expect([gone.status, gone.value.kind, gone.value.status]).toEqual([200, 'Status', 'Success']);
    const none = await remove(`${BASE}?labelSelector=none%3Dthere`);
    expect([none.status, none.value.kind]).toEqual([200, 'Status']);
  });

  it('return 201 for an apply that creates, and 200 for the next', async () => {
    const spec = { request: btoa(pem), signerName: 'example.com/signer', usages: ['client auth'] };
    const body = {
      apiVersion: 'certificates.orch.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'applied' },
      spec,
    };
    const applied = async () => (await apply(`${BASE}/applied?fieldManager=m&force=true`, body)).status;
    expect([await applied(), await applied()]).toEqual([201, 200]);
  });

  it('print the condition of a request in a table', async () => {
    const { path } = await create();
    const state = async () => {
      const accept = 'application/json;as=Table;g=meta.orch.io;v=v1';
      const { value } = await get(path, { headers: { accept } });
      return value.rows[0].cells.at(-1);
    };
    const seen = [await state()];
    await approve(path, 'Approved');
    seen.push(await state());
    await sign(path, issued[0] ?? '');
    seen.push(await state());
    expect(seen).toEqual(['Pending', 'Approved', 'Approved,Issued']);
  });

  it('store nothing in a dry run', async () => {
    const { path } = await create();
    const query = 'dryRun=All';
    const { value } = await get(path);
    const body = { ...value, status: { conditions: [condition('Approved')] } };
    expect((await put(`${path}/approval?${query}`, body)).value.status.conditions).toHaveLength(1);
    expect((await remove(`${path}?${query}`)).status).toBe(200);
    expect((await get(path)).value).toEqual(value);
  });
});
