import { expect, it, vi } from 'vitest';
import { x509 } from '../../src/exports/authentication.js';
import { issueCertificate } from '../../src/exports/pki.js';
import { ApiServer, configMap } from '../../src/index.js';
import { fakeHost } from '../support/hosts.js';

const loaded: string[] = [];
vi.mock('@peculiar/asn1-schema', (original) => load('asn1-schema', original));
vi.mock('@peculiar/asn1-x509', (original) => load('asn1-x509', original));
vi.mock('@peculiar/asn1-csr', (original) => load('asn1-csr', original));
function load<T>(name: string, original: () => T): T {
  loaded.push(name);
  return original();
}

it('a server that handles no certificate loads nothing that reads them, and nothing patches Reflect', async () => {
  const server = new ApiServer({ dialect: 'k8s' });
  await server.start();
  await server.client().create(configMap, { metadata: { name: 'a' }, data: {} }, { namespace: 'default' });
  const authority = await server.certificateAuthority();
  x509({ clientCA: authority.certificate })(fakeHost());
  expect(loaded).toEqual([]);

  await issueCertificate(authority, { commonName: 'jane', usages: ['clientAuth'] });
  expect(loaded).toContain('asn1-schema');
  expect(Reflect).not.toHaveProperty('getMetadata');
  await server.close();
});
