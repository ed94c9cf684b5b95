import { describe, expect, it } from 'vitest';
import { canonicalBase64, encodeBase64 } from '../../src/values/base64.js';
import { ask } from '../support/ask.js';
import { openServer } from '../support/servers.js';

const CONTENT = new Uint8Array([251, 7, 133, 64, 12]);
const BREAKS = ['\n', '\r', '\r\n', '\n\n'];

describe('base64 as the reference reads it', () => {
  it.each([0, 1, 2, 3, 4, 5])('has one form for %i bytes, wherever lines break', (length) => {
    const proper = encodeBase64(CONTENT.subarray(0, length));
    expect(canonicalBase64(proper)).toBe(proper);
    for (const lineBreak of BREAKS)
      for (let at = 0; at <= proper.length; at++) {
        const spelled = proper.slice(0, at) + lineBreak + proper.slice(at);
        expect([spelled, canonicalBase64(spelled)]).toEqual([spelled, proper]);
        expect(canonicalBase64(`${spelled}${lineBreak}`)).toBe(proper);
      }
  });

  it('is compared in that form where a value cannot change', async () => {
    await using server = await openServer();
    const secret = (data: string, resourceVersion?: string) => ({
      metadata: { name: 's', ...(resourceVersion && { resourceVersion }) },
      immutable: true,
      data: { key: data },
    });
    const path = '/api/v1/namespaces/default/secrets';
    const { value } = await ask(server, { method: 'POST', path, body: secret('YQ==\n') });
    expect(value.data).toEqual({ key: 'YQ==' });
    for (const spelling of ['YQ==', 'YQ=\n=', 'Y\r\nQ==\r\n', 'YR==']) {
      const put = await ask(server, { method: 'PUT', path: `${path}/s`, body: secret(spelling) });
      expect([put.status, put.value.metadata.resourceVersion]).toEqual([200, value.metadata.resourceVersion]);
    }
    const changed = await ask(server, { method: 'PUT', path: `${path}/s`, body: secret('Yg==\n') });
    expect(changed.status).toBe(422);
  });
});
