import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { validatingWebhookConfiguration } from '../../src/exports/kinds.js';
import { configMap } from '../../src/index.js';
import type { OutboundTls, WeakCertificate } from '../../src/meta/fetch.js';
import { nodeFetch } from '../../src/outbound/node-fetch.js';
import { systemFetch } from '../../src/outbound/system-fetch.js';
import { transportMessage } from '../../src/outbound/transport-message.js';
import { createCertificateAuthority, issueCertificate } from '../../src/pki/certificate-authority.js';
import { caExtensions, hasOpenssl, Workshop } from '../pki/openssl.js';
import { fetchFrom } from '../support/ask.js';
import { startServer } from '../support/servers.js';

interface Shown {
  readonly key: string;
  readonly certificate: string;
  readonly authority: string;
}
let nameless: Shown;
let named: Shown;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  const authority = await createCertificateAuthority({ commonName: 'authority' });
  const issue = async (dnsNames: readonly string[]): Promise<Shown> => ({
    ...(await issueCertificate(authority, { commonName: 'localhost', dnsNames, usages: ['serverAuth'], days: 1 })),
    authority: authority.certificate,
  });
  nameless = await issue([]);
  named = await issue(['other.example']);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => expect(closing).toEqual([]));

async function listen({ key, certificate }: Shown): Promise<number> {
  const options = { key, cert: certificate, ciphers: 'DEFAULT@SECLEVEL=0' };
  const server = createServer(options, (_, response) => response.end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** Returns the result of a request, and the weaknesses that were found. */
async function fetchShown(shown: Shown, tls: OutboundTls = {}, times = 1) {
  const found: WeakCertificate[] = [];
  const port = await listen(shown);
  let outcome: unknown;
  const connection = { certificateAuthority: shown.authority, serverName: 'localhost', ...tls };
  for (let i = 0; i < times; i++)
    outcome = await nodeFetch(`https://127.0.0.1:${port}/`, {
      method: 'GET',
      headers: {},
      redirect: 'manual',
      signal: new AbortController().signal,
      tls: connection,
      onWeakCertificate: (weakness) => found.push(weakness),
    }).then(async (response) => await response.text(), transportMessage);
  return { outcome, found };
}
const INVALID = 'tls: failed to verify certificate: x509: certificate';

describe('a certificate', () => {
  it.each<[string, () => Shown, OutboundTls, string, WeakCertificate[]]>([
    [
      'with only a matching common name is refused and reported',
      () => nameless,
      {},
      `${INVALID} relies on legacy Common Name field, use SANs instead`,
      ['missing-san'],
    ],
    [
      'with only a matching common name in another case is refused and reported',
      () => nameless,
      { serverName: 'LOCALHOST' },
      `${INVALID} relies on legacy Common Name field, use SANs instead`,
      ['missing-san'],
    ],
    [
      'with only another common name is refused',
      () => nameless,
      { serverName: 'a.example' },
      `${INVALID} is not valid for any names, but wanted to match a.example`,
      [],
    ],
    [
      'without names is reported if it is not verified',
      () => nameless,
      { insecureSkipVerify: true },
      '{}',
      ['missing-san'],
    ],
    ['with names is accepted if it is not verified', () => named, { insecureSkipVerify: true }, '{}', []],
    ['with other names is refused', () => named, {}, `${INVALID} is valid for other.example, not localhost`, []],
    ['with the name is accepted', () => named, { serverName: 'other.example' }, '{}', []],
  ])('%s', async (_, shown, tls, outcome, found) => {
    expect(await fetchShown(shown(), tls)).toEqual({ outcome, found });
  });

  it('is found weak with each request of a connection', async () => {
    expect((await fetchShown(nameless, { insecureSkipVerify: true }, 3)).found).toEqual(Array(3).fill('missing-san'));
  });

  it.skipIf(!hasOpenssl)('signed by SHA-1 is found weak', async () => {
    const workshop = new Workshop();
    closing.push(() => workshop.close());
    const old = ['-md', 'sha1'];
    const root = workshop.issue({ subject: '/CN=root', extensions: caExtensions, arguments: old });
    const issue = (subject: string, names: readonly string[], more: readonly string[] = []): Shown => {
      const extensions = ['basicConstraints=CA:FALSE', ...names.map((name) => `subjectAltName=DNS:${name}`)];
      const { pem, key } = workshop.issue({ subject, issuer: root, extensions, arguments: more });
      return { certificate: pem + root.pem, key, authority: root.pem };
    };
    const weak = issue('/CN=weak', ['localhost'], old);
    expect((await fetchShown(weak)).found).toEqual(['insecure-sha1']);
    expect(await fetchShown(weak, { insecureSkipVerify: true })).toEqual({ outcome: '{}', found: ['insecure-sha1'] });
    const both = issue('/CN=weak', [], old);
    expect((await fetchShown(both, { insecureSkipVerify: true })).found).toEqual(['missing-san', 'insecure-sha1']);
    // The signature of a root certificate does not matter.
    const fine = issue('/CN=fine', ['localhost']);
    expect(await fetchShown(fine)).toEqual({ outcome: '{}', found: [] });
    expect((await fetchShown(fine, { insecureSkipVerify: true })).found).toEqual([]);
  });
});

it("weak certificates are found as well if only the system's CAs are trusted", async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new Error('does not look')));
  closing.push(() => vi.unstubAllGlobals());
  const port = await listen(nameless);
  const asked = systemFetch(`https://127.0.0.1:${port}/`, {
    method: 'GET',
    headers: {},
    redirect: 'manual',
    signal: new AbortController().signal,
    onWeakCertificate: () => {},
  });
  expect(await asked.catch(transportMessage)).toBe(`${INVALID} signed by unknown authority`);
});

it('weak certificates are counted, and noted in audit events', async () => {
  const port = await listen(nameless);
  const events: string[] = [];
  const server = await startServer({
    dialect: 'k8s',
    metrics: true,
    audit: {
      policy: { rules: [{ level: 'Metadata' }] },
      sinks: [
        {
          mode: 'blocking',
          write: (records) => void events.push(...records.map(({ event }) => JSON.stringify(event))),
        },
      ],
    },
  });
  closing.push(() => server.close());
  const client = server.client();
  await client.create(validatingWebhookConfiguration, {
    metadata: { name: 'hook' },
    webhooks: [
      {
        name: 'hook.example.com',
        clientConfig: {
          url: `https://localhost:${port}/`,
          caBundle: Buffer.from(nameless.authority).toString('base64'),
        },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
  await expect(client.create(configMap, { metadata: { name: 'a' } }, { namespace: 'default' })).rejects.toThrow(
    `${INVALID} relies on legacy Common Name field, use SANs instead`,
  );
  const page = await (
    await fetchFrom(server, '/metrics', { user: { username: 'a', groups: ['system:masters'] } })
  ).text();
  expect(page).toContain('\napiserver_webhooks_x509_missing_san_total 1\n');
  for (const name of [
    'webhooks_x509_insecure_sha1',
    'kube_aggregator_x509_missing_san',
    'kube_aggregator_x509_insecure_sha1',
  ])
    expect(page).toContain(`\napiserver_${name}_total 0\n`);
  expect(events.join('\n')).toContain(
    '"missing-san.invalid-cert.kubernetes.io/localhost":"relies on a legacy Common Name field instead of the SAN extension for subject validation"',
  );
});
