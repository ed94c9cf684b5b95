import { readCertificate } from '../../../src/pki/certificate-reader.js';
import { readElements } from '../../../src/pki/der/reader.js';
import { checkStructure } from '../../../src/pki/der/structure.js';
import { element, oid, sequence, set, utf8String } from '../../../src/pki/der/writer.js';
import { violatedConstraint } from '../../../src/pki/names/constrained-names.js';
import { type GeneralNames, nameTag, readGeneralNames } from '../../../src/pki/names/general-names.js';
import { parseMailbox } from '../../../src/pki/names/mailbox.js';
import { type NameConstraints, readNameConstraints } from '../../../src/pki/names/name-constraints.js';
import { decodePem, encodePem } from '../../../src/pki/pem.js';
import { generateKey } from '../../../src/pki/private-key.js';
import { readRequest } from '../../../src/pki/request-reader.js';
import { verifyChain } from '../../../src/pki/verify-chain.js';
import { joinBytes } from '../../../src/values/join-bytes.js';
import { makeRequest } from '../../pki/make-request.js';
import { buildRaw, rawExtension } from '../../pki/raw-certificate.js';
import type { GrowthRow } from './measure.js';

const NOTHING: GeneralNames = { dns: [], email: [], uri: [], ip: [] };
const FREE = () => ({ left: Number.POSITIVE_INFINITY });
const text = (tag: number, value: string) => element(tag, new TextEncoder().encode(value));
const many = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i));
const commonName = (value: string) => set(sequence(oid('2.5.4.3'), utf8String(value)));

async function certificate(parts: { subject?: Uint8Array; extensions?: readonly Uint8Array[] }): Promise<Uint8Array> {
  const { signing, publicKey } = await generateKey();
  const name = sequence(commonName('a'));
  const times = { notBefore: 0, notAfter: 4e12 };
  return buildRaw({ issuer: name, subject: name, publicKey, ...times, ...parts }, signing);
}

const constraintsOf = (excluded: Partial<NameConstraints['excluded']>): NameConstraints => ({
  permitted: { ...NOTHING, ip: [] },
  excluded: { ...NOTHING, ip: [], ...excluded },
  complete: true,
});
const compared = (constraints: NameConstraints, names: Partial<GeneralNames>, left: number) => () =>
  violatedConstraint(constraints, [{ ...NOTHING, ...names }], { left });

export const rows: readonly GrowthRow[] = [
  {
    name: 'PEM: begin lines without an end',
    n: 20_000,
    prepare: (n) => {
      const pem = '-----BEGIN CERTIFICATE-----\n'.repeat(n);
      return () => decodePem(pem);
    },
  },
  {
    name: 'PEM: blanks, dashes and headers',
    n: 20_000,
    prepare: (n) => {
      const pem = `-----BEGIN A-----\n${'a: b\n'.repeat(n)}\n${' '.repeat(n)}${'-'.repeat(n)}\n-----END A-----\n`;
      return () => decodePem(pem);
    },
  },
  {
    name: 'PEM: one large block',
    n: 100_000,
    prepare: (n) => {
      const pem = encodePem('CERTIFICATE', new Uint8Array(n));
      return () => decodePem(pem);
    },
  },
  {
    name: 'DER: many elements',
    n: 20_000,
    prepare: (n) => {
      const der = sequence(new Uint8Array(2 * n).map((_, i) => (i % 2 === 0 ? 5 : 0)));
      return () => checkStructure(der, FREE());
    },
  },
  {
    name: 'DER: deep elements',
    n: 100,
    prepare: (n) => {
      let der = Uint8Array.of(5, 0) as Uint8Array;
      for (let i = 0; i < n; i++) der = sequence(der);
      return () => many(100, () => readCertificate.bind(null, der)).forEach((read) => void attempt(read));
    },
  },
  {
    name: 'a certificate: many parts of a name',
    n: 60,
    prepare: async (n) => {
      const der = await certificate({ subject: sequence(...many(n, (i) => commonName(`n${i}`))) });
      return () => readCertificate(der);
    },
  },
  {
    name: 'a certificate: many extensions',
    n: 60,
    prepare: async (n) => {
      const der = await certificate({ extensions: many(n, (i) => rawExtension(`1.2.3.${i}`, Uint8Array.of(5, 0))) });
      return () => readCertificate(der);
    },
  },
  {
    name: 'a certificate: many alternative names',
    n: 1000,
    prepare: async (n) => {
      const names = sequence(...many(n, (i) => text(nameTag.dns, `${i}.b`)));
      const der = await certificate({ extensions: [rawExtension('2.5.29.17', names)] });
      return () => readCertificate(der);
    },
  },
  {
    name: 'a request: many names',
    n: 1000,
    prepare: async (n) => {
      const { pem } = await makeRequest({ names: { dns: many(n, (i) => `${i}.b`) } });
      return () => readRequest(pem);
    },
  },
  {
    name: 'a request: a long subject',
    n: 5000,
    prepare: async (n) => {
      const { pem } = await makeRequest({ commonName: 'x'.repeat(n) });
      return () => readRequest(pem);
    },
  },
  {
    name: 'names: of all kinds',
    n: 500,
    prepare: (n) => {
      const names = joinBytes([
        ...many(n, (i) => text(nameTag.dns, `${i}.b`)),
        ...many(n, (i) => text(nameTag.uri, `a://${i}.b/c`)),
      ]);
      return () => readGeneralNames(readElements(names));
    },
  },
  {
    name: 'names: one long name of each kind',
    n: 20_000,
    prepare: (n) => {
      const names = ['.a', '@', 'a://a:', ':1'].flatMap((part) =>
        [nameTag.dns, nameTag.email, nameTag.uri].map((tag) => text(tag, `a://${part.repeat(n)}`)),
      );
      return () => names.forEach((name) => void attempt(() => readGeneralNames(readElements(name))));
    },
  },
  {
    name: 'a mailbox: quotes, backslashes and dots',
    n: 20_000,
    prepare: (n) => {
      const addresses = [`"${'\\"'.repeat(n)}"@a`, `${'a.'.repeat(n)}a@b`, '@'.repeat(n), `"${'"'.repeat(n)}`];
      return () => addresses.map(parseMailbox);
    },
  },
  {
    name: 'constraints: many',
    n: 1000,
    prepare: (n) => {
      const subtrees = element(0xa1, ...many(n, (i) => sequence(text(nameTag.dns, `${i}.b`))));
      return () => readNameConstraints(subtrees);
    },
  },
  {
    name: 'names against constraints: domains',
    n: 1000,
    prepare: (n) => {
      const constraints = constraintsOf({ dns: many(n, (i) => `${i}.b`) });
      return compared(constraints, { dns: many(n, (i) => `${'a.'.repeat(50)}c${i}`) }, Number.POSITIVE_INFINITY);
    },
  },
  {
    name: 'names against constraints: mailboxes',
    n: 1000,
    prepare: (n) => {
      const constraints = constraintsOf({ email: many(n, (i) => `a@${i}.b`) });
      return compared(constraints, { email: many(n, (i) => `a@c${i}.b`) }, Number.POSITIVE_INFINITY);
    },
  },
  {
    name: 'names against constraints: addresses, as many as are compared',
    n: 500,
    prepare: (n) => {
      const range = { address: Uint8Array.of(10, 0, 0, 0), mask: Uint8Array.of(255, 255, 255, 255) };
      const constraints = constraintsOf({ ip: many(n, () => range) });
      return compared(constraints, { ip: many(n, () => Uint8Array.of(11, 0, 0, 0)) }, 250_000);
    },
  },
  {
    name: 'a chain: strangers of one name',
    n: 100,
    prepare: async (n) => {
      const [root, leaf, stranger] = await Promise.all(many(3, async () => readCertificate(await certificate({}))));
      if (!root || !leaf || !stranger) throw new Error('no certificates');
      const intermediates = many(n, () => ({ ...stranger }));
      return () => verifyChain({ leaf, intermediates, roots: [root], now: 1e12 });
    },
  },
];

function attempt(run: () => unknown): void {
  try {
    run();
  } catch {
    // The function may refuse its input.
  }
}
