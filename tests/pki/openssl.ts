import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Certificate } from '../../src/pki/certificate.js';
import { readCertificates } from '../../src/pki/certificate-reader.js';
import { rsaKeys } from '../support/rsa-keys.js';
import { runPrograms, succeeds } from '../support/run-program.js';

export const hasOpenssl = succeeds('openssl', 'version');

export interface Issued {
  readonly pem: string;
  readonly key: string;
  readonly certificate: Certificate;
}

export interface IssueOptions {
  readonly subject?: string;
  /** The issuer; absent for a self-signed certificate. */
  readonly issuer?: Issued;
  /** Lines of an openssl extension section. */
  readonly extensions?: readonly string[];
  /** The type of its key. Default: `p256`. */
  readonly key?: KeyKind;
  /** `YYYYMMDDHHMMSSZ`. */
  readonly from?: string;
  readonly to?: string;
  readonly arguments?: readonly string[];
  /** Signs with this key instead of the issuer's. */
  readonly forgedBy?: Issued;
}

const newKeys = {
  p256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  p384: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  p521: () => generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  rsa: rsaKeys,
  ed25519: () => generateKeyPairSync('ed25519'),
};
type KeyKind = keyof typeof newKeys;
export const keyKinds = Object.keys(newKeys) as readonly KeyKind[]; // These are all of its members.

/** Creates a private key (PEM) in this process, because running a program for each key would take most of the tests' time. */
export const newKey = (kind: KeyKind): string =>
  newKeys[kind]().privateKey.export({ type: 'pkcs8', format: 'pem' }) as string; // PEM is text

export const caExtensions = [
  'basicConstraints=critical,CA:TRUE',
  'keyUsage=critical,keyCertSign,cRLSign',
  'subjectKeyIdentifier=hash',
];
export const clientExtensions = [
  'basicConstraints=critical,CA:FALSE',
  'extendedKeyUsage=clientAuth',
  'authorityKeyIdentifier=keyid',
];

/** A folder in which the openssl command creates certificates. */
export class Workshop {
  readonly #folder = mkdtempSync(join(tmpdir(), 'pki-'));
  #count = 0;

  write(name: string, text: string): string {
    const path = join(this.#folder, name);
    writeFileSync(path, text);
    return path;
  }

  run(...args: string[]): string {
    return runPrograms(['openssl', ...args]);
  }

  issue({
    subject = '/CN=someone',
    issuer,
    extensions = [],
    key = 'p256',
    from,
    to,
    arguments: more = [],
    forgedBy,
  }: IssueOptions): Issued {
    const id = `c${this.#count++}`;
    const ownKey = newKey(key);
    const keyPath = this.write(`${id}.key`, ownKey);
    const section = [
      '[ca]',
      'default_ca=ca_default',
      '[ca_default]',
      `database=${this.write(`${id}.db`, '')}`,
      'policy=any',
      'rand_serial=yes',
      'unique_subject=no',
    ];
    section.push(
      `new_certs_dir=${this.#folder}`,
      'email_in_dn=no',
      'string_mask=utf8only',
      '[any]',
      'countryName=optional',
      'organizationName=optional',
    );
    section.push(
      'organizationalUnitName=optional',
      'commonName=optional',
      '[req]',
      'distinguished_name=dn',
      'string_mask=utf8only',
      '[dn]',
      '[ext]',
      ...extensions,
    );
    const config = this.write(`${id}.cnf`, section.join('\n'));
    const request = join(this.#folder, `${id}.csr`);
    const out = join(this.#folder, `${id}.pem`);
    const signer = forgedBy ?? issuer;
    const args = [
      '-batch',
      '-notext',
      '-config',
      config,
      '-in',
      request,
      '-out',
      out,
      '-md',
      signerMd(signer, key),
      '-preserveDN',
    ];
    args.push('-startdate', from ?? '20200101000000Z', '-enddate', to ?? '21000101000000Z', ...more);
    if (extensions.length > 0) args.push('-extensions', 'ext');
    if (issuer)
      args.push(
        '-cert',
        this.write(`${id}.issuer.pem`, issuer.pem),
        '-keyfile',
        this.write(`${id}.issuer.key`, (signer ?? issuer).key),
      );
    else args.push('-selfsign', '-keyfile', keyPath);
    runPrograms(
      ['openssl', 'req', '-new', '-utf8', '-config', config, '-key', keyPath, '-subj', subject, '-out', request],
      ['openssl', 'ca', ...args],
    );
    const pem = readFileSync(out, 'utf8');
    const [certificate] = readCertificates(pem);
    if (!certificate) throw new Error('openssl made no certificate');
    return { pem, key: ownKey, certificate };
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Ed25519 has no separate digest. */
function signerMd(signer: Issued | undefined, key: KeyKind): string {
  const ed = signer
    ? Buffer.from(signer.certificate.publicKey).includes(Buffer.from([0x2b, 0x65, 0x70]))
    : key === 'ed25519';
  return ed ? 'null' : 'sha256';
}
