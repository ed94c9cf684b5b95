import https from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../src/api-server.js';
import { anonymous } from '../../../src/authentication/anonymous.js';
import { x509 } from '../../../src/authentication/certificates/x509.js';
import { requestHeader } from '../../../src/authentication/request-header.js';
import { alwaysAllow } from '../../../src/authorization/always-allow.js';
import { type Listener, listen } from '../../../src/http/index.js';
import { headersOf } from '../../../src/meta/request-headers.js';
import { createCertificateAuthority } from '../../../src/pki/certificate-authority.js';
import { readCertificates } from '../../../src/pki/certificate-reader.js';
import { element, oid, sequence, set } from '../../../src/pki/der/writer.js';
import { decodePem, encodePem } from '../../../src/pki/pem.js';
import { generateKey, importPrivateKey } from '../../../src/pki/private-key.js';
import { joinBytes } from '../../../src/values/join-bytes.js';
import {
  caExtensions,
  clientExtensions,
  hasOpenssl,
  type Issued,
  type IssueOptions,
  Workshop,
} from '../../pki/openssl.js';
import { buildRaw, rawExtension } from '../../pki/raw-certificate.js';
import { fakeHost } from '../../support/hosts.js';
import { startServer } from '../../support/servers.js';

/*
 * Client certificates over HTTPS: the authenticated user of a chain that a client presents in TLS. The reasons of each refusal, and many
 * more chains, are in tests/pki/verify-chain.test.ts.
 */
let workshop: Workshop;
let root: Issued;
let server: ApiServer;
let listener: Listener;
const issue = (options: IssueOptions) => workshop.issue(options);
const authority = (options: IssueOptions = {}) =>
  issue({ subject: '/CN=middle', issuer: root, extensions: caExtensions, ...options });
const client = (options: IssueOptions = {}) =>
  issue({ subject: '/CN=jane', issuer: root, extensions: clientExtensions, ...options });
/** Returns the same certificate with another last byte, which belongs to the signature. */
function tampered({ pem, ...rest }: Issued): Issued {
  const [block] = decodePem(pem);
  const bytes = Uint8Array.from(block?.bytes ?? []);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  return { ...rest, pem: encodePem('CERTIFICATE', bytes) };
}

interface Caller {
  readonly user: string;
  readonly groups: readonly string[];
}
/** Returns the user of a chain's certificate; the status if it is refused. */
function whoIs(chain: readonly Issued[], headers: Readonly<Record<string, string>> = {}): Promise<Caller | number> {
  const [leaf] = chain;
  return new Promise((resolve, reject) => {
    const request = https.request(
      {
        host: '127.0.0.1',
        port: listener.port,
        path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        method: 'POST',
        ca: listener.certificateAuthority,
        agent: false,
        headers: { 'content-type': 'application/json', ...headers },
        ...(leaf ? { cert: chain.map(({ pem }) => pem).join(''), key: leaf.key } : {}),
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => {
          if (response.statusCode !== 201) return resolve(response.statusCode ?? 0);
          const { username, groups } = JSON.parse(text).status.userInfo;
          resolve({ user: username, groups });
        });
      },
    );
    request.on('error', reject).end('{}');
  });
}

describe.skipIf(!hasOpenssl)('client certificates over HTTPS (skipped where openssl is absent)', () => {
  let proxies: Issued;
  beforeAll(async () => {
    workshop = new Workshop();
    root = issue({ subject: '/CN=root', extensions: caExtensions });
    proxies = issue({ subject: '/CN=proxies', extensions: caExtensions });
    server = await startServer({
      dialect: 'k8s',
      authentication: [
        requestHeader({ clientCA: proxies.pem, usernameHeaders: ['X-Remote-User'], groupHeaders: ['X-Remote-Group'] }),
        x509({ clientCA: root.pem }),
        anonymous(),
      ],
      authorization: [alwaysAllow()],
      controllers: [],
    });
    listener = await listen(server);
  });
  afterAll(async () => {
    await listener?.close();
    await server?.close();
    workshop?.close();
  });
  const AUTHENTICATED = 'system:authenticated';

  it('authenticate if they are valid, directly or below an intermediate', async () => {
    const middle = authority();
    expect(await whoIs([client()])).toEqual({ user: 'jane', groups: [AUTHENTICATED] });
    expect(await whoIs([client({ issuer: middle, subject: '/O=ops/CN=joe' }), middle])).toEqual({
      user: 'joe',
      groups: ['ops', AUTHENTICATED],
    });
    expect(await whoIs([])).toMatchObject({ user: 'system:anonymous' });
  });

  const powers = '/O=system:masters/CN=admin';
  const attacks: readonly (readonly [string, () => readonly Issued[]])[] = [
    ['expired', () => [client({ subject: powers, to: '20210101000000Z' })]],
    ['not yet valid', () => [client({ subject: powers, from: '20900101000000Z' })]],
    ['self-signed', () => [issue({ subject: powers, extensions: clientExtensions.slice(0, 2) })]],
    [
      'self-signed under the name of the authority',
      () => [issue({ subject: '/CN=root', extensions: clientExtensions.slice(0, 2) })],
    ],
    ['for servers only', () => [client({ subject: powers, extensions: ['extendedKeyUsage=serverAuth'] })]],
    ['for e-mail only', () => [client({ subject: powers, extensions: ['extendedKeyUsage=emailProtection'] })]],
    [
      'issued by an intermediate for servers only',
      () => {
        const middle = authority({ extensions: [...caExtensions, 'extendedKeyUsage=serverAuth'] });
        return [client({ subject: powers, issuer: middle }), middle];
      },
    ],
    [
      'issued by a client certificate',
      () => {
        const jane = client();
        return [client({ subject: powers, issuer: jane, extensions: [] }), jane];
      },
    ],
    [
      'issued by an intermediate without the CA flag',
      () => {
        const middle = authority({ extensions: ['keyUsage=critical,keyCertSign', 'subjectKeyIdentifier=hash'] });
        return [client({ subject: powers, issuer: middle }), middle];
      },
    ],
    [
      'issued by an intermediate whose key may not sign certificates',
      () => {
        const middle = authority({
          extensions: ['basicConstraints=critical,CA:TRUE', 'keyUsage=digitalSignature', 'subjectKeyIdentifier=hash'],
        });
        return [client({ subject: powers, issuer: middle }), middle];
      },
    ],
    [
      'in a chain that exceeds the path length',
      () => {
        const tight = authority({
          extensions: [
            'basicConstraints=critical,CA:TRUE,pathlen:0',
            'keyUsage=keyCertSign',
            'subjectKeyIdentifier=hash',
          ],
        });
        const lower = authority({ subject: '/CN=lower', issuer: tight });
        return [client({ subject: powers, issuer: lower }), lower, tight];
      },
    ],
    [
      'outside of name constraints',
      () => {
        const middle = authority({
          extensions: [...caExtensions, 'nameConstraints=critical,permitted;DNS:.example.org'],
        });
        const extensions = [...clientExtensions, 'subjectAltName=DNS:evil.org'];
        return [client({ subject: powers, issuer: middle, extensions }), middle];
      },
    ],
    ['with a changed signature', () => [tampered(client({ subject: powers }))]],
    [
      'issued by an intermediate with a changed signature',
      () => {
        const middle = authority();
        return [client({ subject: powers, issuer: middle }), tampered(middle)];
      },
    ],
    [
      'issued by another authority of the same name',
      () => [client({ subject: powers, issuer: issue({ subject: '/CN=root', extensions: caExtensions }) })],
    ],
    [
      'issued by an authority that only the client sends',
      () => {
        const own = issue({ subject: '/CN=own', extensions: caExtensions });
        return [client({ subject: powers, issuer: own }), own];
      },
    ],
    ['issued by the authority of proxies', () => [client({ subject: powers, issuer: proxies })]],
    [
      'with an unknown critical extension',
      () => [client({ subject: powers, extensions: [...clientExtensions, '1.2.3.4=critical,ASN1:NULL'] })],
    ],
  ];
  it.each(attacks)('refuses one %s', async (_, make) => expect(await whoIs(make())).toBe(401));

  describe('headers of an authenticating proxy', () => {
    const spoofed = { 'X-Remote-User': 'root', 'X-Remote-Group': 'system:masters' };
    it("are used with a certificate of the proxies' CA", async () =>
      expect(await whoIs([client({ issuer: proxies })], spoofed)).toEqual({
        user: 'root',
        groups: ['system:masters', AUTHENTICATED],
      }));
    it("are ignored without one, with a user's certificate, or with an invalid one", async () => {
      expect(await whoIs([], spoofed)).toMatchObject({ user: 'system:anonymous' });
      expect(await whoIs([client()], spoofed)).toEqual({ user: 'jane', groups: [AUTHENTICATED] });
      expect(await whoIs([client({ issuer: proxies, to: '20210101000000Z' })], spoofed)).toBe(401);
      expect(await whoIs([client({ issuer: proxies, extensions: ['extendedKeyUsage=serverAuth'] })], spoofed)).toBe(
        401,
      );
      expect(await whoIs([tampered(client({ issuer: proxies }))], spoofed)).toBe(401);
    });
  });

  describe('groups and names', () => {
    it.each<[string, string, string, readonly string[]]>([
      ['a comma does not separate groups', '/O=a,system:masters/CN=jane', 'jane', ['a,system:masters']],
      [
        'a plus and an equals sign do not separate groups',
        '/O=a\\+O=system:masters/CN=jane',
        'jane',
        ['a+O=system:masters'],
      ],
      ['a line break does not separate groups', '/O=a\nO=system:masters/CN=jane', 'jane', ['a\nO=system:masters']],
      ['a slash is part of the name', '/CN=jane\\/O=system:masters', 'jane/O=system:masters', []],
      ['upper and lower case differ', '/O=System:Masters/CN=Jane', 'Jane', ['System:Masters']],
      ['spaces are kept', '/O=system:masters /CN=jane ', 'jane ', ['system:masters ']],
      ['similar characters of other alphabets differ', '/O=system:maѕters/CN=jаne', 'jаne', ['system:maѕters']],
      ['organizational units are not groups', '/OU=system:masters/O=ops/CN=jane', 'jane', ['ops']],
      ['the last common name counts', '/CN=jane/CN=joe', 'joe', []],
    ])('%s', async (_, subject, user, groups) =>
      expect(await whoIs([client({ subject })])).toEqual({ user, groups: [...groups, AUTHENTICATED] }),
    );
    it('of the issuer, and alternative names, are not used', async () => {
      const middle = authority({ subject: '/O=system:masters/CN=admin' });
      expect(await whoIs([client({ issuer: middle }), middle])).toEqual({ user: 'jane', groups: [AUTHENTICATED] });
      const extensions = [...clientExtensions, 'subjectAltName=email:admin@x,URI:system:masters,DNS:admin'];
      expect(await whoIs([client({ extensions })])).toEqual({ user: 'jane', groups: [AUTHENTICATED] });
    });
    it('are required: a certificate without a common name authenticates no user', async () =>
      expect(await whoIs([client({ subject: '/O=system:masters' })])).toBe(401));
  });
});

describe('the encodings of a name', () => {
  const ORGANIZATION = '2.5.4.10';
  const COMMON_NAME = '2.5.4.3';
  const utf8 = (text: string) => element(0x0c, new TextEncoder().encode(text));
  const latin = (tag: number, text: string) =>
    element(
      tag,
      Uint8Array.from(text, (char) => char.charCodeAt(0)),
    );
  const bmp = (text: string) =>
    element(
      0x1e,
      joinBytes(Array.from(text, (char) => Uint8Array.of(char.charCodeAt(0) >> 8, char.charCodeAt(0) & 0xff))),
    );
  const part = (type: string, value: Uint8Array) => sequence(oid(type), value);
  const jane = set(part(COMMON_NAME, utf8('jane')));

  async function whoHas(subject: Uint8Array) {
    const now = Date.parse('2026-11-21T12:00:00Z');
    const ca = await createCertificateAuthority({ commonName: 'ca', now });
    const [issuer] = readCertificates(ca.certificate);
    const { publicKey } = await generateKey();
    const der = await buildRaw(
      {
        issuer: issuer?.subject.raw ?? new Uint8Array(),
        subject,
        notBefore: now,
        notAfter: now + 3_600_000,
        publicKey,
        extensions: [rawExtension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.2')))],
      },
      await importPrivateKey(ca.key),
    );
    const authenticator = x509({ clientCA: ca.certificate })(fakeHost('2026-11-21T12:00:01Z'));
    const result = await authenticator.authenticate({ headers: headersOf(), peerCertificates: [der] });
    return result.outcome === 'authenticated' ? result.user : result.outcome;
  }

  const MASTERS = 'system:masters';
  it.each<[string, Uint8Array, readonly string[]]>([
    ['PrintableString', set(part(ORGANIZATION, latin(0x13, MASTERS))), [MASTERS]],
    ['BMPString', set(part(ORGANIZATION, bmp(MASTERS))), [MASTERS]],
    ['TeletexString', set(part(ORGANIZATION, latin(0x14, MASTERS))), [MASTERS]],
    ['two attributes in one set', set(part(ORGANIZATION, utf8('a')), part(ORGANIZATION, utf8('b'))), ['a', 'b']],
    ['a NUL, which is part of the name', set(part(ORGANIZATION, utf8(`${MASTERS}\0x`))), [`${MASTERS}\0x`]],
    [
      'a byte order mark, which is part of the name',
      set(part(ORGANIZATION, utf8(`\ufeff${MASTERS}`))),
      [`\ufeff${MASTERS}`],
    ],
    [
      'a combining character, which is part of the name',
      set(part(ORGANIZATION, utf8(`${MASTERS}\u0301`))),
      [`${MASTERS}\u0301`],
    ],
    ['another attribute, which is ignored', set(part('2.5.4.11', utf8(MASTERS))), []],
    ['an attribute with a longer identifier, which is ignored', set(part('2.5.4.10.1', utf8(MASTERS))), []],
  ])('are decoded once: %s', async (_, organization, groups) =>
    expect(await whoHas(sequence(organization, jane))).toEqual({ username: 'jane', groups }),
  );
  it.each<[string, Uint8Array]>([
    ['invalid UTF-8', set(part(ORGANIZATION, element(0x0c, Uint8Array.of(0xff, 0xfe))))],
    ['overlong UTF-8', set(part(ORGANIZATION, element(0x0c, Uint8Array.of(0xc1, 0xb3))))],
    ['half a BMP character', set(part(ORGANIZATION, element(0x1e, Uint8Array.of(0, 0x61, 0))))],
    ['an @ in a PrintableString', set(part(ORGANIZATION, latin(0x13, 'a@b')))],
    ['a UniversalString', set(part(ORGANIZATION, element(0x1c, Uint8Array.of(0, 0, 0, 0x61))))],
    ['a number', set(part(ORGANIZATION, element(0x02, Uint8Array.of(1))))],
    ['two values', set(sequence(oid(ORGANIZATION), utf8('a'), utf8(MASTERS)))],
  ])('are refused if invalid: %s', async (_, organization) =>
    expect(await whoHas(sequence(organization, jane))).toBe('rejected'),
  );
});
