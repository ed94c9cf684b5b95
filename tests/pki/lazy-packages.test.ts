import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { x509 } from '../../src/exports/authentication.js';
import { issueCertificate } from '../../src/exports/pki.js';
import { ApiServer, configMap } from '../../src/index.js';
import { fakeHost } from '../support/hosts.js';

/** Returns the loaded packages that read certificates. They are CommonJS, so Node's cache contains them. */
const loaded = () => {
  const files = Object.keys(createRequire(import.meta.url).cache);
  return new Set(files.flatMap((file) => /@peculiar[\\/](asn1-[^\\/]+)/.exec(file)?.[1] ?? []));
};

it('a server that handles no certificate does not load the packages for them, and nothing patches Reflect', async () => {
  const server = new ApiServer({ dialect: 'k8s' });
  await server.start();
  await server.client().create(configMap, { metadata: { name: 'a' }, data: {} }, { namespace: 'default' });
  const authority = await server.certificateAuthority();
  x509({ clientCA: authority.certificate })(fakeHost());
  expect(loaded()).toEqual(new Set());

  await issueCertificate(authority, { commonName: 'jane', usages: ['clientAuth'] });
  expect(loaded()).toContain('asn1-schema');
  expect(Reflect).not.toHaveProperty('getMetadata');
  await server.close();
});
