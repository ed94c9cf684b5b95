import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordStage } from '../../../src/audit/audit-record.js';
import { auditOptions } from '../../../src/cli/audit/audit-options.js';
import { checkAuditFlags } from '../../../src/cli/audit/check-audit-flags.js';
import { parseFlags } from '../../../src/cli/parse-flags.js';
import { createFakeHost } from '../../../src/testing/fake-host.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-flags-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const POLICY = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n';
const flags = (...args: string[]) => parseFlags(['--dialect=k8s', ...args]);
const write = async (name: string, text: string) => {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
};
async function optionsOf(...args: string[]) {
  const lines: string[] = [];
  return { options: await auditOptions(flags(...args).values, (line) => void lines.push(line)), lines };
}

describe('the audit flags', () => {
  const LOG = '--audit-log-path=/x';
  const HOOK = '--audit-webhook-config-file=/x';
  const table: readonly (readonly [args: readonly string[], errors: readonly string[]])[] = [
    [[LOG, HOOK], []],
    [['--audit-log-mode=fast'], []], // of a sink that is not used
    [
      [LOG, '--audit-log-mode=fast'],
      ['invalid audit log mode fast, allowed modes are "batch,blocking,blocking-strict"'],
    ],
    [[LOG, '--audit-log-format=xml'], ['invalid audit log format xml, allowed formats are "legacy,json"']],
    [[LOG, '--audit-log-maxage=-1'], ["--audit-log-maxage -1 can't be a negative number"]],
    [[LOG, '--audit-log-version=v2'], ['invalid group version, allowed versions are ["audit.k8s.io/v1"]']],
    [[LOG, HOOK, '--audit-log-version=audit.k8s.io/v1', '--audit-webhook-version=audit.k8s.io/v1'], []],
    [
      [HOOK, '--audit-webhook-version=audit.orch.io/v1'],
      ['invalid group version, allowed versions are ["audit.k8s.io/v1"]'],
    ],
    [
      [HOOK, '--audit-webhook-batch-buffer-size=0'],
      ['invalid audit batch webhook buffer size 0, must be a positive number'],
    ],
    [
      [HOOK, '--audit-webhook-batch-throttle-qps=-0.5'],
      ['invalid audit batch webhook throttle QPS -0.5, must be a positive number'],
    ],
    [[HOOK, '--audit-webhook-batch-throttle-enable=false', '--audit-webhook-batch-throttle-qps=0'], []],
    [
      [LOG, '--audit-log-truncate-max-event-size=0'],
      ['invalid audit truncate log max event size 0, must be a positive number'],
    ],
    [
      [LOG, '--audit-log-truncate-max-batch-size=5'],
      ['invalid audit truncate log max batch size 5, must be greater than max event size (102400)'],
    ],
  ];
  for (const [args, errors] of table)
    it(`are validated: ${args.join(' ')}`, () => expect(checkAuditFlags(flags(...args))).toEqual(errors));

  it('create sinks', async () => {
    const policy = await write('policy.yaml', POLICY);
    const kubeconfig = await write(
      'hook.kubeconfig',
      'clusters: [{name: c, cluster: {server: "https://a"}}]\ncontexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x\n',
    );
    const path = join(folder, 'audit.log');
    const { options } = await optionsOf(
      `--audit-policy-file=${policy}`,
      `--audit-log-path=${path}`,
      '--audit-log-truncate-enabled',
      `--audit-webhook-config-file=${kubeconfig}`,
    );
    expect(options?.sinks).toMatchObject([
      { name: 'log', mode: 'blocking', truncate: { maxEventSize: 102_400, maxBatchSize: 10_485_760 } },
      {
        name: 'webhook',
        mode: 'batch',
        batch: { bufferSize: 10_000, maxSize: 400, maxWait: 30_000, throttle: { qps: 10, burst: 15 } },
      },
    ]);
    const [log] = options?.sinks ?? [];
    if (typeof log !== 'object') throw new TypeError('no sink');
    const facts = {
      apiVersion: 'audit.k8s.io/v1',
      level: 'Metadata',
      auditID: 'i',
      requestURI: '/',
      verb: 'get',
    } as const;
    const none = { user: undefined, impersonatedUser: undefined, sourceIPs: [], userAgent: '', objectRef: undefined };
    const later = {
      responseStatus: undefined,
      requestObject: undefined,
      responseObject: undefined,
      annotations: undefined,
    };
    const record = recordStage({ ...facts, ...none, ...later, received: 0 }, 'RequestReceived', 0);
    await log.write([record, record], createFakeHost());
    await log.close?.(createFakeHost());
    expect(await readFile(path, 'utf8')).toBe(`${record.line}\n${record.line}\n`);
  });

  it('without a policy record nothing, with a warning', async () => {
    const { options, lines } = await optionsOf(LOG);
    expect(options).toBeUndefined();
    expect(lines).toEqual(['No audit policy file provided, no events will be recorded for log backend']);
  });

  it('must name a valid policy', async () => {
    await expect(optionsOf('--audit-policy-file=/nowhere')).rejects.toThrow(
      'loading audit policy file: failed to read file path "/nowhere": open /nowhere: no such file or directory',
    );
    const empty = await write('empty.yaml', '');
    await expect(optionsOf(`--audit-policy-file=${empty}`)).rejects.toThrow(
      `loading audit policy file: unknown group version field audit.k8s.io/__internal, Kind=Policy in policy: from file ${empty}`,
    );
    const broken = await write('broken.yaml', 'a: b: c');
    await expect(optionsOf(`--audit-policy-file=${broken}`)).rejects.toThrow(
      `loading audit policy file: failed decoding: yaml: mapping values are not allowed in this context: from file ${broken}`,
    );
  });
});
