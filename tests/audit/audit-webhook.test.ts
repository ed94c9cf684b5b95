import { describe, expect, it } from 'vitest';
import type { AuditEvent } from '../../src/audit/audit-event.js';
import { webhookSink } from '../../src/audit/audit-webhook.js';
import { open, turns } from './open-sinks.js';

describe('the webhook', () => {
  const connection = { server: 'https://audit.example.com/take', token: 't' };

  it('receives a list of events in one POST', async () => {
    const posts: { url: string; headers: Readonly<Record<string, string>>; body: string }[] = [];
    const { record, host } = open([webhookSink({ connection })], async (url, { headers, body = '' }) => {
      posts.push({ url, headers, body });
      return new Response('{}');
    });
    record('1');
    record('2');
    host.clock.advance(30_000);
    await turns();
    expect(posts).toHaveLength(1);
    const [post] = posts;
    expect(post?.url).toBe('https://audit.example.com/take?timeout=30s');
    expect(post?.headers).toMatchObject({ authorization: 'Bearer t', 'content-type': 'application/json' });
    const list = JSON.parse(post?.body ?? '');
    expect(Object.keys(list)).toEqual(['kind', 'apiVersion', 'metadata', 'items']);
    expect(list).toMatchObject({ kind: 'EventList', apiVersion: 'audit.k8s.io/v1' });
    expect(list.items.map(({ auditID }: AuditEvent) => auditID)).toEqual(['1', '2']);
    expect(list.items[0]).not.toHaveProperty('kind');
  });

  it('is retried after a first delay of its own, and its events are counted as lost when all attempts fail', async () => {
    let tries = 0;
    const { record, host, counts } = open([webhookSink({ connection, initialBackoff: 200 })], async () => {
      tries++;
      return new Response('no', { status: 500 });
    });
    record('1');
    host.clock.advance(30_000);
    await turns();
    expect(tries).toBe(1);
    for (let i = 0; i < 5; i++) {
      host.clock.advance(2000);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(tries).toBe(5);
    expect(counts['apiserver_audit_error_total webhook']).toBe(1);
  });

  it.each([
    ['a refusal', async () => new Response('no', { status: 400 })],
    ['an absent path', async () => new Response('', { status: 404 })],
    ['an overload', async () => new Response('', { status: 503 })],
    ['a refused connection', () => Promise.reject(new Error('connect ECONNREFUSED'))],
  ])('receives its events again after %s', async (_, fail) => {
    let tries = 0;
    const { record, host, counts } = open([webhookSink({ connection, initialBackoff: 200 })], async () => {
      tries++;
      return tries === 1 ? await fail() : new Response('{}');
    });
    record('1');
    host.clock.advance(30_000);
    await turns();
    expect(tries).toBe(1);
    host.clock.advance(2000);
    await turns();
    expect(tries).toBe(2);
    expect(counts['apiserver_audit_error_total webhook']).toBeUndefined();
  });

  it.each([
    ['never answers', () => new Promise<Response>(() => {})],
    ['fails', async () => new Response('no', { status: 500 })],
  ])('that %s is not called any more once the server is closed', async (_, fetch) => {
    let tries = 0;
    const { trail, record, host } = open([webhookSink({ connection })], async () => {
      tries++;
      return await fetch();
    });
    record('1');
    const closed = trail.close();
    await turns();
    host.clock.advance(5_000);
    await closed;
    await turns();
    expect(host.clock.timers()).toEqual([]);
    host.clock.advance(60_000);
    await turns();
    expect(tries).toBe(1);
  });
});
