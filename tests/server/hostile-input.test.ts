import { expect, it } from 'vitest';
import { type Answer, describeMatrix, type Reach } from './matrix.js';

const COLLECTION = '/api/v1/namespaces/default/configmaps';

/** Checks that the server still responds, and that the attack stored nothing. */
async function unharmed({ request }: Reach, name = 'evil'): Promise<void> {
  expect((await request('GET', `${COLLECTION}/${name}`)).status).toBe(404);
  const list = await request('GET', `${COLLECTION}?fieldSelector=metadata.name!=x`);
  expect(list.status).toBe(200);
}
function refused(answer: Answer, status: number, message: RegExp): void {
  expect(answer.status).toBe(status);
  expect(answer.json).toMatchObject({ kind: 'Status', status: 'Failure', code: status });
  expect(answer.json.message).toMatch(message);
}

describeMatrix('hostile bodies', (reach) => {
  const post = (body: string | Uint8Array, type = 'application/json', query = '') =>
    reach().request('POST', `${COLLECTION}${query}`, { body, headers: { 'content-type': type } });

  it('keeps members named like prototype keys as data', async () => {
    const body =
      '{"metadata":{"name":"proto","annotations":{"__proto__":"a","constructor":"b"}},"data":{"__proto__":"x","constructor":"y","toString":"z"}}';
    const made = await post(body);
    // These words are valid keys of ConfigMaps, but annotation keys must not begin with an underscore.
    refused(made, 422, /metadata\.annotations: Invalid value: "__proto__"/);
    const kept = await post('{"metadata":{"name":"proto"},"data":{"__proto__":"x","constructor":"y"}}');
    expect(kept.status).toBe(201);
    expect(kept.text).toContain('"data":{"__proto__":"x","constructor":"y"}');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    expect(
      (
        await post(
          '{"metadata":{"name":"evil"},"__proto__":{"data":{"a":"1"}}}',
          'application/json',
          '?fieldValidation=Strict',
        )
      ).status,
    ).toBe(400);
    expect((await post('{"__proto__":{"metadata":{"name":"evil"}}}')).status).toBe(422);
    await reach().request('DELETE', `${COLLECTION}/proto`);
    await unharmed(reach());
  });

  it('refuses a megabyte of nesting', async () => {
    refused(await post('['.repeat(1_000_000)), 400, /exceeded max depth/);
    refused(
      await post(`{"metadata":{"name":"evil"},"data":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}`),
      400,
      /exceeded max depth/,
    );
    const nested = await post(`{"metadata":{"name":"evil"},"data":${'['.repeat(9_000)}${']'.repeat(9_000)}}`);
    expect(nested.status).toBe(400);
    const yaml = await post(`a: ${'['.repeat(100_000)}`, 'application/yaml');
    expect([400, 413]).toContain(yaml.status);
    await unharmed(reach());
  });

  it('refuses alias bombs', async () => {
    const bomb = [
      'a: &a ["x","x","x","x","x","x","x","x","x"]',
      ...'bcdefghi'.split('').map((key, i) => `${key}: &${key} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(',')}]`),
    ].join('\n');
    refused(await post(`metadata: {name: evil}\n${bomb}\n`, 'application/yaml'), 400, /excessive aliasing/);
    await unharmed(reach());
  });

  it('warns of duplicate keys and uses the last', async () => {
    refused(
      await post(
        '{"metadata":{"name":"evil"},"data":{"a":"1","a":"2"}}',
        'application/json',
        '?fieldValidation=Strict',
      ),
      400,
      /duplicate field "data\.a"/,
    );
    const warned = await post(
      '{"metadata":{"name":"evil","name":"twice"},"data":{"a":"1","a":"2"}}',
      'application/json',
      '?dryRun=All',
    );
    expect(warned.status).toBe(201);
    expect(warned.json.metadata.name).toBe('twice');
    expect(String(warned.headers['warning'])).toContain('duplicate field');
    await unharmed(reach());
  });

  it('replaces invalid UTF-8', async () => {
    const bytes = Uint8Array.from([
      ...new TextEncoder().encode('{"metadata":{"name":"utf"},"data":{"a":"'),
      0xff,
      0xc3,
      0x28,
      ...new TextEncoder().encode('"}}'),
    ]);
    const made = await post(bytes);
    expect(made.status).toBe(201);
    expect(made.json.data.a).toBe('\ufffd\ufffd(');
    await reach().request('DELETE', `${COLLECTION}/utf`);
    refused(await post(Uint8Array.from([0xff, 0xfe, 0x7b])), 400, /invalid character/);
    await unharmed(reach());
  });

  it('refuses bodies over the limit', async () => {
    refused(
      await post(`{"metadata":{"name":"evil"},"data":{"a":"${'x'.repeat(10_000_000)}"}}`),
      413,
      /limit is 3145728/,
    );
    await unharmed(reach());
  });

  it('refuses invalid numbers and strings', async () => {
    refused(await post('{"metadata":{"name":"evil","generation":1e999}}'), 400, /cannot unmarshal number/);
    refused(await post('{"metadata":{"name":"evil"},"data":{"a":NaN}}'), 400, /invalid character 'N'/);
    refused(await post('\u0000\u0001'), 400, /invalid character/);
    await unharmed(reach());
  });
});

describeMatrix('hostile requests', (reach) => {
  it('refuses malformed paths', async () => {
    for (const path of [
      '/api/v1/namespaces/../namespaces',
      '/api/v1/namespaces/%2e%2e/configmaps/x',
      `${COLLECTION}/a%00b`,
      '/api/v1/%2F/x',
      '//api/v1',
      '/api/v1/constructor',
      '/api/v1/namespaces/default/__proto__/x',
    ]) {
      const { status } = await reach().request('GET', path);
      expect([400, 404], path).toContain(status);
    }
  });

  it('refuses very long selectors and tokens', async () => {
    const long = await reach().request('GET', `${COLLECTION}?labelSelector=${'a,'.repeat(4_000)}(`);
    expect(long.status).toBe(400);
    for (const query of [
      'continue=AAAA',
      `continue=${'A'.repeat(10_000)}`,
      'limit=99999999999999999999',
      'fieldSelector=__proto__%3Dx',
      'labelSelector=__proto__%3Dx',
      'resourceVersion=constructor',
    ])
      expect([400, 500], query).toContain((await reach().request('GET', `${COLLECTION}?${query}`)).status);
  });
});
