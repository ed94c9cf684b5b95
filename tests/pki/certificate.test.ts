import { X509Certificate } from 'node:crypto';
import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Certificate } from '../../src/pki/certificate.js';
import { createCertificateAuthority, issueCertificate } from '../../src/pki/certificate-authority.js';
import { readCertificate, readCertificates } from '../../src/pki/certificate-reader.js';
import { DerError, readElement, readElements } from '../../src/pki/der/reader.js';
import { boolean, element, octetString, oid, sequence, tagged, time } from '../../src/pki/der/writer.js';
import { encodeDistinguishedName } from '../../src/pki/names/distinguished-name.js';
import { generateKey } from '../../src/pki/private-key.js';
import { formatIp } from '../../src/values/ip-address.js';
import { propertyRuns } from '../support/property-runs.js';
import { hasSharedData, readSharedText, sharedUrl } from '../support/shared-data.js';
import { hasOpenssl, type Issued, Workshop } from './openssl.js';
import { buildRaw, rawExtension } from './raw-certificate.js';

const data = sharedUrl('data/auth-x509/pem/');
const one = (pem: string): Certificate => {
  const [certificate] = readCertificates(pem);
  if (!certificate) throw new Error('no certificate');
  return certificate;
};

describe.skipIf(!hasSharedData)('shared certificates (skipped where the data is absent)', () => {
  const files = hasSharedData ? readdirSync(data) : [];
  it.each(files)('%s is parsed as the runtime parses it', (file) => {
    const pem = readSharedText(`data/auth-x509/pem/${file}`);
    const mine = one(pem);
    const theirs = new X509Certificate(pem);
    expect(mine.serial.toString(16).toUpperCase()).toBe(theirs.serialNumber);
    expect(`CN=${mine.subject.commonName}`).toBe(theirs.subject);
    expect(`CN=${mine.issuer.commonName}`).toBe(theirs.issuer);
    expect(mine.notBefore).toBe(Date.parse(theirs.validFrom));
    expect(mine.notAfter).toBe(Date.parse(theirs.validTo));
    expect(mine.basicConstraints?.ca ?? false).toBe(theirs.ca);
    expect(Buffer.from(mine.publicKey)).toEqual(theirs.publicKey.export({ type: 'spki', format: 'der' }));
    expect(mine.extendedKeyUsage ?? []).toEqual(theirs.keyUsage ?? []);
  });
});

describe.skipIf(!hasOpenssl)('certificates of openssl (skipped where it is absent)', () => {
  let workshop: Workshop;
  let issued: Issued;
  beforeAll(() => {
    workshop = new Workshop();
    issued = workshop.issue({
      subject: '/C=DE/O=second/O=first/OU=unit/CN=outer/CN=Zoë',
      extensions: [
        'basicConstraints=critical,CA:TRUE,pathlen:3',
        'keyUsage=digitalSignature,keyCertSign,decipherOnly',
        'extendedKeyUsage=clientAuth,1.2.3.4',
        'subjectAltName=DNS:a.example,email:me@example.org,URI:https://x.example/y,IP:10.0.0.1,IP:2001:db8::1,otherName:1.2.3;UTF8:z',
        'nameConstraints=permitted;DNS:.example,excluded;IP:10.0.0.0/255.0.0.0',
        '1.2.3.4.5=critical,ASN1:NULL',
        'subjectKeyIdentifier=hash',
      ],
    });
  });
  afterAll(() => workshop?.close());

  it('have all of their fields parsed', () => {
    const { certificate: c } = issued;
    expect(c.version).toBe(3);
    expect(c.subject.commonName).toBe('Zoë');
    expect(c.subject.organizations).toEqual(['second', 'first']);
    expect(c.basicConstraints).toEqual({ ca: true, pathLength: 3 });
    expect(c.keyUsage).toEqual(['digitalSignature', 'keyCertSign', 'decipherOnly']);
    expect(c.extendedKeyUsage).toEqual(['1.3.6.1.5.5.7.3.2', '1.2.3.4']);
    expect(c.subjectAltNames).toMatchObject({
      dns: ['a.example'],
      email: ['me@example.org'],
      uri: ['https://x.example/y'],
    });
    expect(c.subjectAltNames?.ip.map(formatIp)).toEqual(['10.0.0.1', '2001:db8::1']);
    expect(c.nameConstraints?.permitted.dns).toEqual(['.example']);
    expect(c.nameConstraints?.excluded.ip).toHaveLength(1);
    expect(c.unhandledCritical).toEqual(['1.2.3.4.5']);
    expect(c.subjectKeyId).toHaveLength(20);
  });
});

describe('parseCertificate', () => {
  it('parses what the CA of this package issues, and several in one block', async () => {
    const authority = await createCertificateAuthority({ commonName: 'ca' });
    const client = await issueCertificate(authority, {
      commonName: 'jane',
      organizations: ['b', 'a'],
      usages: ['clientAuth'],
    });
    const both = Buffer.concat([one(authority.certificate).raw, one(client.certificate).raw]).toString('base64');
    const read = readCertificates(`-----BEGIN CERTIFICATE-----\n${both}\n-----END CERTIFICATE-----\n${authority.key}`);
    expect(read.map((c) => [c.subject.commonName, c.subject.organizations])).toEqual([
      ['ca', []],
      ['jane', ['b', 'a']],
    ]);
  });

  it('returns a certificate or throws a DerError for every damaged certificate', async () => {
    const { certificate } = await createCertificateAuthority({ commonName: 'ca' });
    const { raw } = one(certificate);
    const damage = fc.array(fc.tuple(fc.nat({ max: raw.length - 1 }), fc.nat({ max: 255 })), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(damage, fc.nat({ max: raw.length }), fc.boolean(), (changes, length, cut) => {
        const bytes = Uint8Array.from(raw);
        for (const [at, value] of changes) bytes[at] = value;
        try {
          readCertificate(cut ? bytes.subarray(0, length) : bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(DerError);
        }
      }),
      { numRuns: propertyRuns(2000) },
    );
  });

  it.each([
    ['trailing bytes', (raw: Uint8Array) => Uint8Array.from([...raw, 0])],
    ['no bytes', () => new Uint8Array()],
    ['very many bytes', () => new Uint8Array(100_000)],
  ])('refuses %s', async (_, change) => {
    const { certificate } = await createCertificateAuthority({ commonName: 'ca' });
    expect(() => readCertificate(change(one(certificate).raw))).toThrow(DerError);
  });

  it.each([
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['0096-02-29T00:00:00Z', '2024-02-28T10:00:00Z'],
    ['1949-12-31T23:59:59Z', '2050-01-01T00:00:00Z'],
  ])('parses dates of any year: %s to %s', async (from, until) => {
    const { signing, publicKey } = await generateKey();
    const name = encodeDistinguishedName('a');
    const [notBefore, notAfter] = [Date.parse(from), Date.parse(until)];
    const der = await buildRaw({ issuer: name, subject: name, publicKey, notBefore, notAfter }, signing);
    expect(readCertificate(der)).toMatchObject({ notBefore, notAfter, raw: der });
  });

  describe('refuses encodings that are not DER', () => {
    const NAME = encodeDistinguishedName('a');
    const from = Date.parse('2024-02-28T10:00:00Z');
    const bytes = (text: string) => new TextEncoder().encode(text);
    /** One subtree: the names below `a.b`. */
    const NAMES = [sequence(element(0x82, bytes('a.b')))];
    const made = async (extensions: readonly Uint8Array[] = []) => {
      const { signing, publicKey } = await generateKey();
      const content = { issuer: NAME, subject: NAME, publicKey, notBefore: from, notAfter: from + 1000, extensions };
      return buildRaw(content, signing);
    };
    const changed = (der: Uint8Array, text: string, next: string) =>
      Uint8Array.from(Buffer.from(Buffer.from(der).toString('latin1').replace(text, next), 'latin1'));
    it.each([
      ['a 30th of February', '240230100000Z'],
      ['a minute of 61 seconds', '240228100061Z'],
      ['no seconds, but an offset', '2402281000+01'],
    ])('%s', async (_, time) => {
      const der = await made();
      expect(readCertificate(der).notBefore).toBe(from);
      expect(() => readCertificate(changed(der, '240228100000Z', time))).toThrow(DerError);
    });
    it('a time with a fraction of a second', async () => {
      const until = Date.parse('2050-01-01T00:00:00Z');
      const { signing, publicKey } = await generateKey();
      const der = await buildRaw({ issuer: NAME, subject: NAME, publicKey, notBefore: from, notAfter: until }, signing);
      expect(readCertificate(der).notAfter).toBe(until);
      // The field of 15 bytes becomes one of 17, and so the lengths of the structures around it grow.
      const [tbs, ...rest] = readElements(readElement(der).content);
      const fields = readElements(tbs?.content ?? der).map(({ raw }) => raw);
      const validity = sequence(time(from), element(0x18, new TextEncoder().encode('20500101000000.5Z')));
      const changedTbs = sequence(...fields.map((raw, i) => (i === 4 ? validity : raw)));
      const fractional = sequence(changedTbs, ...rest.map(({ raw }) => raw));
      expect(() => readCertificate(fractional)).toThrow('x509: malformed GeneralizedTime');
    });
    it.each<[string, string, Uint8Array]>([
      ['two lists of permitted names', '2.5.29.30', sequence(tagged(0, ...NAMES), tagged(0, ...NAMES))],
      ['lists of constraints in the wrong order', '2.5.29.30', sequence(tagged(1, ...NAMES), tagged(0, ...NAMES))],
      ['a list of constraints of an unknown kind', '2.5.29.30', sequence(tagged(0, ...NAMES), tagged(2, ...NAMES))],
      ['a policy without an identifier', '2.5.29.32', sequence(sequence(element(6)))],
      ['a URI whose port is not a number', '2.5.29.17', sequence(element(0x86, bytes('https://a:b/')))],
      ['a URI with an escape in its host', '2.5.29.17', sequence(element(0x86, bytes('https://a%zz/')))],
      ['a key usage with a bit after its end', '2.5.29.15', Uint8Array.of(3, 2, 7, 0xc0)],
      ['an additional field', '2.5.29.19', Uint8Array.of(0x30, 5, 1, 1, 0xff, 5, 0)],
      ['bytes after a value', '2.5.29.14', Uint8Array.of(4, 1, 1, 5, 0)],
      ['a negative path length', '2.5.29.19', Uint8Array.of(0x30, 6, 1, 1, 0xff, 2, 1, 0xff)],
      ['an incomplete object identifier', '2.5.29.37', Uint8Array.of(0x30, 3, 6, 1, 0x80)],
    ])('%s', async (_, id, value) => {
      await expect(made([rawExtension(id, value)]).then((der) => readCertificate(der))).rejects.toThrow(DerError);
    });
    it('except for an encoded default value, which issuers write and upstream accepts', async () => {
      const names = sequence(element(0x82, new TextEncoder().encode('a.b')));
      const der = await made([
        rawExtension('2.5.29.19', sequence(boolean(false))),
        sequence(oid('2.5.29.17'), boolean(false), octetString(names)),
      ]);
      const { basicConstraints, subjectAltNames, unhandledCritical } = readCertificate(der);
      expect([basicConstraints, subjectAltNames?.dns, unhandledCritical]).toEqual([{ ca: false }, ['a.b'], []]);
    });
    it('refuses a duplicate extension', async () => {
      const id = rawExtension('2.5.29.14', Uint8Array.of(4, 1, 1));
      await expect(made([id, id]).then((der) => readCertificate(der))).rejects.toThrow('duplicate extensions');
    });
  });
});
