import { linkSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { run } from '../../src/cli/run.js';
import {
  issueClientCertificate,
  issueServingCertificate,
  loadCertificateMaker,
} from '../../src/http/serving-certificates.js';
import { freePort } from '../support/etcd.js';
import { runToEnd } from './program.js';

const folder = mkdtempSync(join(tmpdir(), 'envtest-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string) => join(folder, name);

describe('orch-apiserver envtest DIR', () => {
  const assets = file('assets');

  it('writes programs that pass their arguments on, and prints the folder', async () => {
    let text = '';
    const out = { write: (part: string) => (text += part) };
    const environment = { stdout: out, stderr: out, signal: new AbortController().signal, script: "/it's/main.js" };
    expect(await run(['envtest', assets, '--feature-gates=WatchList=true'], environment)).toBe(0);
    expect(text).toBe(`${assets}\n`);
    const [node, script] = [`'${process.execPath}'`, `'/it'\\''s/main.js'`];
    expect(readFileSync(join(assets, 'kube-apiserver'), 'utf8')).toContain(
      `\nexec ${node} ${script} 'envtest' 'kube-apiserver' '--feature-gates=WatchList=true' "$@"\n`,
    );
    expect(readFileSync(join(assets, 'etcd'), 'utf8')).toContain(`\nexec ${node} ${script} 'envtest' 'etcd' "$@"\n`);
    for (const name of ['kube-apiserver', 'etcd']) expect(statSync(join(assets, name)).mode & 0o111).toBe(0o111);
  });

  it('replaces its own programs, and refuses to replace others', async () => {
    // A shell that reads a program while it is replaced must see the whole previous one, as this link does.
    linkSync(join(assets, 'kube-apiserver'), file('running'));
    expect(await runToEnd('envtest', assets)).toMatchObject({ code: 0, text: `${assets}\n` });
    expect(readFileSync(join(assets, 'kube-apiserver'), 'utf8')).not.toContain('WatchList');
    expect(readFileSync(file('running'), 'utf8')).toContain('WatchList');
    writeFileSync(join(assets, 'etcd'), 'a real etcd');
    const { code, errors } = await runToEnd('envtest', assets, '--feature-gates=WatchList=true');
    expect(code).toBe(1);
    expect(errors).toContain(`${join(assets, 'etcd')} exists, and this command did not write it`);
    expect(readFileSync(join(assets, 'kube-apiserver'), 'utf8')).not.toContain('WatchList');
  });

  it.each([
    [['envtest'], 'invalid arguments: none given'],
    [['envtest', '--v=2'], 'invalid arguments: --v=2'],
    [['envtest', file('other'), '--no-such-flag'], 'unknown flag: --no-such-flag'],
    [['envtest', 'etcd'], '--listen-client-urls=URL is required'],
    [['envtest', 'etcd', '--listen-client-urls=https://127.0.0.1:1'], 'the address must be a URL with http'],
  ])('%j is refused', async (args, message) => {
    const { code, errors } = await runToEnd(...args);
    expect(code).toBe(1);
    expect(errors).toContain(message);
  });

  it.each(['kube-apiserver', 'etcd'])('%s has a help text without the flags that envtest looks for', async (name) => {
    const { code, text } = await runToEnd('envtest', name, '--help');
    expect(code).toBe(0);
    expect(text).not.toMatch(/^\s*--(insecure-port|unsafe-no-fsync)\b/m);
  });
});

describe('started as envtest does it', () => {
  const stopping = new AbortController();
  let said = '';
  const environment = {
    stdout: { write: (text: string) => (said += text) },
    stderr: { write: (text: string) => (said += text) },
    signal: stopping.signal,
  };
  const ended: Promise<number>[] = [];
  let etcd = '';
  let url = '';
  let ca = '';
  let admin: { readonly certificate: string; readonly key: string };

  beforeAll(async () => {
    const maker = await loadCertificateMaker();
    const make = (commonName: string) => maker.createCertificateAuthority({ commonName });
    const [serverCa, clientCa, accounts] = [await make('server'), await make('clients'), await make('accounts')];
    ca = serverCa.certificate;
    const serving = await issueServingCertificate(maker, serverCa, '127.0.0.1', []);
    writeFileSync(file('apiserver.crt'), serving.certificate);
    writeFileSync(file('apiserver.key'), serving.key);
    writeFileSync(file('sa-signer.crt'), accounts.certificate);
    writeFileSync(file('sa-signer.key'), accounts.key);
    writeFileSync(file('client-cert-auth-ca.crt'), clientCa.certificate);
    admin = await issueClientCertificate(maker, clientCa, { username: 'admin', groups: ['system:masters'] });

    const [etcdPort, port] = [await freePort(), await freePort()];
    etcd = `http://127.0.0.1:${etcdPort}`;
    url = `https://127.0.0.1:${port}`;
    const etcdFlags = [
      `--listen-peer-urls=http://127.0.0.1:0`,
      `--data-dir=${file('etcd-data')}`,
      `--advertise-client-urls=${etcd}`,
      `--listen-client-urls=${etcd}`,
    ];
    ended.push(run(['envtest', 'etcd', ...etcdFlags], environment));
    await vi.waitUntil(() => said.includes('Answering'), { timeout: 30_000 });
    const flags = [
      '--allow-privileged=true',
      '--authorization-mode=RBAC',
      '--bind-address=127.0.0.1',
      `--cert-dir=${folder}`,
      `--client-ca-file=${file('client-cert-auth-ca.crt')}`,
      '--disable-admission-plugins=ServiceAccount',
      `--etcd-servers=${etcd}`,
      `--secure-port=${port}`,
      `--service-account-issuer=${url}/`,
      `--service-account-key-file=${file('sa-signer.crt')}`,
      `--service-account-signing-key-file=${file('sa-signer.key')}`,
      '--service-cluster-ip-range=10.0.0.0/24',
    ];
    ended.push(run(['envtest', 'kube-apiserver', ...flags], environment));
    await vi.waitUntil(() => said.includes(`Listening on ${url}`), { timeout: 30_000 });
  });
  afterAll(async () => {
    stopping.abort();
    expect(await Promise.all(ended)).toEqual([0, 0]);
  });

  const ask = (
    method: string,
    path: string,
    body?: object,
    { cert, key } = { cert: admin.certificate, key: admin.key },
  ) =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const options = { method, ca, cert, key, agent: false, headers } as https.RequestOptions;
      const request = https.request(`${url}${path}`, options, (response) => {
        let text = '';
        response.on('data', (part) => (text += String(part)));
        response.on('end', () => resolve({ status: response.statusCode, body: text }));
      });
      request.on('error', reject);
      request.end(body && JSON.stringify(body));
    });

  it('answers the health check of etcd, and nothing else', async () => {
    expect(await get(`${etcd}/health`)).toEqual({ status: 200, text: '{"health":"true","reason":""}' });
    expect(await get(`${etcd}/v3/kv/range`)).toEqual({ status: 404, text: '' });
  });

  it('answers the health check of the API server without credentials', async () => {
    expect(await ask('GET', '/healthz', undefined, { cert: '', key: '' })).toEqual({ status: 200, body: 'ok' });
  });

  it('serves with the certificate in --cert-dir, and accepts the client certificates of envtest', async () => {
    expect(await ask('GET', '/healthz')).toEqual({ status: 200, body: 'ok' });
    expect(await ask('GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin')).toMatchObject({
      status: 200,
    });
  });

  it('runs no controllers, so that a namespace stays Terminating', async () => {
    const namespaces = '/api/v1/namespaces';
    expect(await ask('POST', namespaces, { metadata: { name: 'test' } })).toMatchObject({ status: 201 });
    expect(await ask('POST', `${namespaces}/test/pods`, pod)).toMatchObject({ status: 201 });
    expect(await ask('DELETE', `${namespaces}/test`)).toMatchObject({ status: 200 });
    const { body } = await ask('GET', `${namespaces}/test`);
    expect(JSON.parse(body)).toMatchObject({ status: { phase: 'Terminating' } });
    expect(await ask('GET', `${namespaces}/test/serviceaccounts/default`)).toMatchObject({ status: 404 });
  });
});

const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'a', image: 'b' }] } };

function get(url: string) {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    http
      .get(url, { agent: false }, (response) => {
        let text = '';
        response.on('data', (part) => (text += String(part)));
        response.on('end', () => resolve({ status: response.statusCode, text }));
      })
      .on('error', reject);
  });
}
