import { mkdtempSync, rmSync } from 'node:fs';
import http2 from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { exchange1, exchange2, session2 } from '../http/exchange.js';

const folder = mkdtempSync(join(tmpdir(), 'browsers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The program, with a complete server. */
async function start(...flags: string[]) {
  const controller = new AbortController();
  let text = '';
  const out = { write: (part: string) => (text += part) };
  const ended = run(['--secure-port=0', `--write-kubeconfig=${folder}/config`, ...flags], {
    stdout: out,
    stderr: out,
    signal: controller.signal,
  });
  await expect
    .poll(() => text.includes('kubectl --kubeconfig') || text.includes('Error'), { timeout: 30_000 })
    .toBe(true);
  const [url = ''] = /https:\/\/\S+/.exec(text) ?? [];
  return {
    url,
    text: () => text,
    async [Symbol.asyncDispose]() {
      controller.abort();
      await ended;
    },
  };
}

it('flags about browsers and connections have an effect over the network', async () => {
  await using program = await start(
    '--authorization-mode=RBAC',
    '--cors-allowed-origins=//(www\\.)?example\\.com(:|$),^https://other\\.org$',
    '--strict-transport-security-directives=max-age=60,includeSubDomains',
    '--enable-logs-handler=false',
  );
  expect(program.text()).toContain(
    'Flag --enable-logs-handler has been deprecated, This flag will be removed in v1.19\n',
  );
  const origin = 'https://www.example.com:8443';
  const preflight = await exchange1(program.url, { method: 'OPTIONS', path: '/api', headers: { origin } });
  expect(preflight.status).toBe(204);
  expect(preflight.headers).toMatchObject({
    'access-control-allow-origin': origin,
    'strict-transport-security': 'max-age=60; includeSubDomains',
  });
  for (const evil of ['https://www.example.com.evil.org', 'https://other.org.evil.org', 'null'])
    expect((await exchange1(program.url, { path: '/livez', headers: { origin: evil } })).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
  // This caller is not authenticated, so the connection ends after the complete response.
  const session = session2(program.url);
  let code: number | undefined;
  session.on('goaway', (given) => (code = given));
  const closed = new Promise((resolve) => session.once('close', resolve));
  const answers = await Promise.all(['/livez', '/readyz'].map((path) => exchange2(session, { path })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  await closed;
  expect(code).toBe(http2.constants.NGHTTP2_NO_ERROR);
});

it('an invalid regular expression prevents the start', async () => {
  await using program = await start('--cors-allowed-origins=//a(b$');
  expect(program.text()).toContain(
    'Error: --cors-allowed-origins has an invalid regular expression: error parsing regexp: missing closing ): `//a(b$`, help: List of ',
  );
});
