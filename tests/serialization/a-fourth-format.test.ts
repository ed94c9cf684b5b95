import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Format, problemsInTurn } from '../../src/serialization/format.js';
import { formats } from '../../src/serialization/formats.js';

const encode = (value: unknown): Uint8Array =>
  new TextEncoder().encode(`~${encodeURIComponent(JSON.stringify(value))}`);
const decode = (text: string) => JSON.parse(decodeURIComponent(text.slice(1)));

/** JSON behind a tilde and percent signs: unlike any other format, and simple. */
const tilde: Format = {
  mediaType: () => 'application/x-tilde',
  indents: false,
  transforms: new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList', 'APIGroupDiscoveryList']),
  stream: {
    contentType: (mediaType) => `${mediaType}-seq`,
    lengthBytes: 0,
    encode: ({ type, object }) => new Uint8Array([...encode({ type, object }), 0x0a]),
  },
  read: async (bytes) => ({ value: decode(new TextDecoder().decode(bytes)), duplicates: ['a tilde'] }),
  problems: (_bytes, duplicates, unknownFields) => problemsInTurn(duplicates, unknownFields),
  quoteDocument: (_bytes, value) => JSON.stringify(value),
  encodeObject: (object) => [encode(object)],
  encodeList: ({ head, items }) => [encode({ ...head, items })],
  encodeDocument: (document) => [encode(document)],
};
// The one list is all there is to register; what is imported after it may read it at once.
(formats as unknown as Format[]).push(tilde);
const { ApiServer } = await import('../../src/api-server.js');
const { anonymous } = await import('../../src/authentication/anonymous.js');
const { alwaysAllow } = await import('../../src/authorization/always-allow.js');
const { until } = await import('../http/exchange.js');
const { send, textOf } = await import('../support/ask.js');

const server = new ApiServer({ dialect: 'k8s', authentication: [anonymous()], authorization: [alwaysAllow()] });
const maps = '/api/v1/namespaces/default/configmaps';
const configMap = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data: { k: 'v' } };

async function ask(path: string, more: { method?: string; query?: string; accept?: string; body?: object } = {}) {
  const { method = 'GET', query = '', accept = 'application/x-tilde', body } = more;
  const answer = await send(server, {
    method,
    path,
    query,
    headers: { accept, ...(body ? { 'content-type': 'application/x-tilde' } : {}) },
    ...(body ? { body: encode(body) } : {}),
  });
  const type = answer.headers['Content-Type'];
  const text = textOf(answer.body);
  return { ...answer, type, value: text.startsWith('~') ? decode(text) : text };
}

describe('a format that is only added to the list of formats', () => {
  beforeAll(async () => {
    await server.start();
    await ask(maps, { method: 'POST', body: configMap });
  });
  afterAll(() => server.close());

  it('supports bodies, objects and their warnings', async () => {
    const sent = { ...configMap, metadata: { name: 'sent' } };
    const { status, type, value, headers } = await ask(maps, { method: 'POST', body: sent });
    expect({ status, type }).toEqual({ status: 201, type: 'application/x-tilde' });
    expect(value).toMatchObject(sent);
    expect(headers['Warning']).toEqual(['299 - "a tilde"']);
    const strict = { method: 'POST', body: { ...configMap, metadata: { name: 'b' } }, query: 'fieldValidation=Strict' };
    expect((await ask(maps, strict)).value).toMatchObject({ code: 400, message: expect.stringContaining('a tilde') });
  });
  it('supports lists, and other representations of objects', async () => {
    const { type, value } = await ask(maps);
    expect(type).toBe('application/x-tilde');
    expect(value.items).toContainEqual(expect.objectContaining({ data: { k: 'v' } }));
    const table = await ask(maps, { accept: 'application/x-tilde;as=Table;g=meta.k8s.io;v=v1' });
    expect(table.value).toMatchObject({ kind: 'Table', rows: expect.any(Array) });
    const partial = await ask(maps, { accept: 'application/x-tilde;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' });
    expect(partial.value).toMatchObject({ kind: 'PartialObjectMetadataList' });
  });
  it('carries the events of a watch', async () => {
    const { type, body } = await ask(maps, { query: 'watch=true&fieldSelector=metadata.name%3Da' });
    expect(type).toBe('application/x-tilde-seq');
    if (body.type !== 'stream') throw new TypeError('a watch is a stream');
    const { stream } = body;
    let text = '';
    await until(() => {
      text = Buffer.concat(stream.take()).toString();
      return text !== '';
    });
    stream.close();
    expect(decode(text.trim())).toMatchObject({ type: 'ADDED', object: { data: { k: 'v' } } });
  });
  it('supports errors, discovery and delete options', async () => {
    expect((await ask(`${maps}/none`)).value).toMatchObject({ kind: 'Status', code: 404 });
    expect((await ask('/apis')).value).toMatchObject({ kind: 'APIGroupList' });
    const aggregated = 'application/x-tilde;as=APIGroupDiscoveryList;g=apidiscovery.k8s.io;v=v2';
    expect((await ask('/apis', { accept: aggregated })).value).toMatchObject({ kind: 'APIGroupDiscoveryList' });
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] };
    expect((await ask(`${maps}/a`, { method: 'DELETE', body })).value).toMatchObject({
      kind: 'Status',
      status: 'Success',
    });
    expect((await ask(`${maps}/a`)).status).toBe(200);
  });
  it('is named in refusals', async () => {
    const { value } = await ask(maps, { accept: 'application/x-other, application/x-tilde;as=Nothing' });
    expect(value).toContain('application/x-tilde');
  });
});
