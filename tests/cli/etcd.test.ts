import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { createCertificateAuthority, issueCertificate, type KeyPair } from '../../src/pki/certificate-authority.js';
import { noEtcd, type RunningEtcd, startEtcd } from '../support/etcd.js';

const ENOUGH = 60_000;

/** Runs the program until it has started, or ended. */
async function program(...flags: readonly string[]) {
  const controller = new AbortController();
  let text = '';
  const out = { write: (part: string) => (text += part) };
  const ended = run(['--secure-port=0', ...flags], { stdout: out, stderr: out, signal: controller.signal });
  let code: number | undefined;
  void ended.then((result) => {
    code = result;
  });
  await expect.poll(() => code !== undefined || text.includes('kubectl --kubeconfig'), { timeout: ENOUGH }).toBe(true);
  controller.abort();
  return { code: await ended, text };
}

describe('--etcd-servers', () => {
  it.each([
    [
      ['--storage-backend=etcd2'],
      "--storage-backend invalid, allowed values: etcd3. If not specified, it will default to 'etcd3'",
    ],
    [['--storage-backend=etcd3'], '--etcd-servers must be specified'],
    [['--etcd-prefix=/x'], '--etcd-prefix is about --etcd-servers: give both'],
    [
      ['--etcd-servers=http://127.0.0.1:1', '--etcd-certfile=a'],
      'KeyFile and CertFile must both be present[key: , cert: a]',
    ],
    [
      ['--etcd-servers=http://127.0.0.1:1', '--data-dir=d'],
      '--etcd-servers and --data-dir name two storages: give one',
    ],
    [['--etcd-servers=http://127.0.0.1:1', '--etcd-cafile=/none'], 'open /none: no such file or directory'],
    [['--etcd-servers=https://127.0.0.1:1', '--etcd-cafile=/dev/null'], 'etcd(): tls.ca must be PEM text'],
    [['--etcd-servers=ftp://x'], 'etcd(): "ftp://x" is not the URL of a member, such as https://10.0.0.1:2379'],
    [['--etcd-servers=http://a,https://b'], 'etcd(): endpoints must all begin with https, or all with http'],
  ])('is refused for %j', async (flags, message) => {
    const { code, text } = await program(...flags);
    expect(code).toBe(1);
    expect(text.split('\n')).toContain(`Error: ${message}`);
  });
});

describe.skipIf(noEtcd !== undefined)(
  `an etcd with certificates${noEtcd === undefined ? '' : ` (skipped: ${noEtcd})`}`,
  () => {
    let folder: string;
    let etcd: RunningEtcd;
    const file = (name: string) => join(folder, name);
    const write = async (name: string, { certificate, key }: KeyPair) => {
      await writeFile(file(`${name}.crt`), certificate);
      await writeFile(file(`${name}.key`), key);
    };
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'etcd-pki-'));
      const authority = await createCertificateAuthority({ commonName: 'etcd-ca' });
      await write('ca', authority);
      await write(
        'server',
        await issueCertificate(authority, {
          commonName: 'etcd',
          ipAddresses: ['127.0.0.1'],
          usages: ['serverAuth', 'clientAuth'],
        }),
      );
      await write('client', await issueCertificate(authority, { commonName: 'apiserver', usages: ['clientAuth'] }));
      await write(
        'stranger',
        await issueCertificate(await createCertificateAuthority({ commonName: 'other' }), {
          commonName: 'apiserver',
          usages: ['clientAuth'],
        }),
      );
      etcd = await startEtcd(
        `--cert-file=${file('server.crt')}`,
        `--key-file=${file('server.key')}`,
        '--client-cert-auth',
        `--trusted-ca-file=${file('ca.crt')}`,
      );
    });
    afterAll(async () => {
      await etcd?.[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    });
    const flags = (name: string) => [
      `--etcd-servers=${etcd.endpoint}`,
      `--etcd-cafile=${file('ca.crt')}`,
      `--etcd-certfile=${file(`${name}.crt`)}`,
      `--etcd-keyfile=${file(`${name}.key`)}`,
    ];

    it('is used with the files of the flags', async () => {
      const { code, text } = await program(...flags('client'), '--etcd-prefix=/orch');
      expect(text).toContain(`Storage: etcd at ${etcd.endpoint}, below /orch\n`);
      expect(code).toBe(0);
    });
    it.each([
      ['another authority signed its client certificate', () => flags('stranger')],
      ['it does not trust the authority of etcd', () => [`--etcd-servers=${etcd.endpoint}`]],
    ])('refuses the start when %s', async (_why, given) => {
      const { code, text } = await program(...given());
      expect(code).toBe(1);
      expect(text).toMatch(/^Error: etcd at https:\/\/127\.0\.0\.1:\d+ (refuses this server|cannot be used): /m);
    });
  },
);
