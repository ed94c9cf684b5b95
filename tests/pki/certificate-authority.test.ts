import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCertificateAuthority, issueCertificate, type KeyPair } from '../../src/pki/certificate-authority.js';
import { readCertificates } from '../../src/pki/certificate-reader.js';
import { verifyChain } from '../../src/pki/verify-chain.js';
import { caExtensions, hasOpenssl, keyKinds, Workshop } from './openssl.js';

let authority: KeyPair;
let server: KeyPair;
let client: KeyPair;
beforeAll(async () => {
  authority = await createCertificateAuthority({ commonName: 'test-ca' });
  server = await issueCertificate(authority, {
    commonName: 'api',
    dnsNames: ['localhost', '*.svc.example'],
    ipAddresses: ['127.0.0.1', '::1'],
    usages: ['serverAuth'],
  });
  client = await issueCertificate(authority, {
    commonName: 'admin',
    organizations: ['system:masters', 'ops'],
    usages: ['clientAuth'],
  });
});

describe('issued certificates', () => {
  it('are parsed by the runtime with all names', () => {
    const read = new X509Certificate(server.certificate);
    expect(read.subjectAltName).toBe(
      'DNS:localhost, DNS:*.svc.example, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
    );
    expect(read.ca).toBe(false);
    expect(read.checkHost('localhost')).toBe('localhost');
    expect(read.checkIP('::1')).toBe('::1');
    expect(read.checkIssued(new X509Certificate(authority.certificate))).toBe(true);
    expect(new X509Certificate(authority.certificate).ca).toBe(true);
    expect(new X509Certificate(client.certificate).subject).toBe('O=system:masters\nO=ops\nCN=admin');
  });

  it('have different serial numbers, within the given time', async () => {
    const now = Date.parse('2048-06-01T00:00:00Z');
    const ca = await createCertificateAuthority({ commonName: 'ca', now, days: 10 });
    const issued = await issueCertificate(ca, { commonName: 'x', usages: ['clientAuth'], now, days: 400 });
    const [a] = readCertificates(ca.certificate);
    const [b] = readCertificates(issued.certificate);
    expect(a?.notBefore).toBe(now - 300_000);
    expect(a?.notAfter).toBe(Date.parse('2048-06-11T00:00:00Z'));
    expect(b?.notAfter).toBe(a?.notAfter);
    expect(a?.serial).not.toBe(b?.serial);
    expect(a?.serial).toBeGreaterThan(0n);
  });

  it('may expire after 2050', async () => {
    const ca = await createCertificateAuthority({ commonName: 'ca', now: Date.parse('2049-01-01T00:00:00Z') });
    expect(new X509Certificate(ca.certificate).validTo).toMatch(/2058/);
  });

  it('take the serial number from the random source given', async () => {
    const random = { fill: (bytes: Uint8Array) => bytes.fill(7) };
    const ca = await createCertificateAuthority({ commonName: 'ca', random });
    expect(readCertificates(ca.certificate)[0]?.serial).toBe(0x47070707070707070707070707070707n);
  });

  it.each([
    ['an invalid IP address', { ipAddresses: ['300.1.1.1'] }],
    ['an invalid DNS name', { dnsNames: ['zoë.example'] }],
  ])('refuses %s', async (_, names) => {
    await expect(issueCertificate(authority, { commonName: 'x', usages: ['serverAuth'], ...names })).rejects.toThrow(
      TypeError,
    );
  });

  it.each([
    ['no certificate', { certificate: '', key: '' }, /no certificate/],
    ['no key', { key: '' }, /no private key/],
    ['a broken key', { key: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n' }, /unsupported type/],
  ])('are refused with a CA that has %s', async (_, change, message) => {
    await expect(issueCertificate({ ...authority, ...change }, { commonName: 'x', usages: [] })).rejects.toThrow(
      message,
    );
  });

  it('are accepted in a TLS connection with a client certificate', async () => {
    const options = { ca: authority.certificate, requestCert: true, rejectUnauthorized: true };
    const listener = createServer({ cert: server.certificate, key: server.key, ...options });
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const accepted = once(listener, 'secureConnection') as Promise<[TLSSocket]>;
    const { port } = listener.address() as AddressInfo;
    const socket = connect({
      port,
      host: '127.0.0.1',
      servername: 'localhost',
      ca: authority.certificate,
      cert: client.certificate,
      key: client.key,
    });
    await once(socket, 'secureConnect');
    const [peer] = await accepted;
    expect(socket.authorized).toBe(true);
    expect(peer.authorized).toBe(true);
    expect(peer.getPeerCertificate().subject.CN).toBe('admin');
    socket.destroy();
    peer.destroy();
    listener.close();
  });
});

describe.skipIf(!hasOpenssl)('with openssl (skipped where it is absent)', () => {
  let workshop: Workshop;
  beforeAll(() => {
    workshop = new Workshop();
  });
  afterAll(() => workshop?.close());

  it('verifies issued certificates strictly', () => {
    const ca = workshop.write('ca.pem', authority.certificate);
    const verify = (purpose: string, pem: string) =>
      workshop.run('verify', '-x509_strict', '-purpose', purpose, '-CAfile', ca, workshop.write('leaf.pem', pem));
    expect(verify('sslserver', server.certificate)).toContain('OK');
    expect(verify('sslclient', client.certificate)).toContain('OK');
    expect(() => verify('sslserver', client.certificate)).toThrow();
  });

  it('has certificates issued by CAs with other types and formats of keys', async () => {
    for (const name of keyKinds) {
      const ca = workshop.issue({ subject: `/CN=${name}`, key: name, extensions: caExtensions });
      const forms = [ca.key];
      const path = workshop.write(`${name}.key`, ca.key);
      if (name !== 'ed25519')
        forms.push(
          workshop.run(name === 'rsa' ? 'rsa' : 'ec', ...(name === 'rsa' ? ['-traditional'] : []), '-in', path),
        );
      for (const form of forms) {
        const issued = await issueCertificate(
          { certificate: ca.pem, key: form },
          { commonName: 'x', usages: ['clientAuth'] },
        );
        expect(
          workshop.run(
            'verify',
            '-CAfile',
            workshop.write('ca.pem', ca.pem),
            workshop.write('leaf.pem', issued.certificate),
          ),
        ).toContain('OK');
        const [leaf] = readCertificates(issued.certificate);
        if (leaf)
          expect(
            await verifyChain({ leaf, intermediates: [], roots: [ca.certificate], now: Date.now() }),
          ).toMatchObject({ ok: true });
      }
    }
  });
});
