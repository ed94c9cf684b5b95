import { describe, expect, it } from 'vitest';
import { linkRewriting } from '../../../src/requests/relay/html-links.js';

/** Rewrites a page that is sent in chunks of some bytes. */
async function rewritten(page: string, size = page.length || 1): Promise<string> {
  const bytes = new TextEncoder().encode(page);
  const pieces = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let i = 0; i < bytes.length; i += size) controller.enqueue(bytes.slice(i, i + size));
      controller.close();
    },
  });
  const rewrite = (url: string) => (url.startsWith('/') ? `/proxy${url}` : url);
  return await new Response(pieces.pipeThrough(linkRewriting(rewrite))).text();
}

describe('links of a page', () => {
  it.each([
    ['of a tag', '<pre><a href="/a">x</a></pre>', '<pre><a href="/proxy/a">x</a></pre>'],
    ['elsewhere', '<a href="https://b/c">', '<a href="https://b/c">'],
    ['in any case', "<IMG SRC='/a' Alt=b>", '<img src="/proxy/a" alt="b">'],
    ['without quotes', '<a href=/a/b>', '<a href="/proxy/a/b">'],
    ['without a value', '<a href disabled>', '<a href="" disabled="">'],
    ['that close themselves', '<link href="/a" />', '<link href="/proxy/a"/>'],
    ['with references', '<a href="/a?b=1&amp;c=2&copy;&d">', '<a href="/proxy/a?b=1&amp;c=2&copy;&amp;d">'],
    ['as references', '<a href="&#x2f;a&#47;b">', '<a href="/proxy/a/b">'],
    ['with signs', `<a title='"<>' href="/a">`, '<a title="&#34;&lt;&gt;" href="/proxy/a">'],
    ['of other attributes', '<a name="/a"><p href="/a">', '<a name="/a"><p href="/a">'],
    ['in other encodings', '<a title="é">日本</a>', '<a title="é">日本</a>'],
    [
      'in scripts',
      '<script src="/a">"<a href=\\"/b\\">"</script><a href="/c">',
      '<script src="/proxy/a">"<a href=\\"/b\\">"</script><a href="/proxy/c">',
    ],
    [
      'in comments',
      '<!-- <a href="/a"> --><a href="/b"><!----><a href="/c">',
      '<!-- <a href="/a"> --><a href="/proxy/b"><!----><a href="/proxy/c">',
    ],
    [
      'beside declarations',
      '<!DOCTYPE html><?x <a?></a ><a href="/b">1 < 2 <3',
      '<!DOCTYPE html><?x <a?></a ><a href="/proxy/b">1 < 2 <3',
    ],
    ['that break off', '<a href="/a', '<a href="/a'],
    ['at an end', 'a<', 'a<'],
    ['of a prototype', '<constructor href="/a">', '<constructor href="/a">'],
  ])('%s', async (_name, page, expected) => {
    expect(await rewritten(page)).toBe(expected);
    // The division into chunks does not affect the result.
    expect(await rewritten(page, 1)).toBe(expected);
  });

  it('are searched within limits: a tag without an end is passed on', async () => {
    const page = `<a href="/${'a'.repeat(200_000)}`;
    expect(await rewritten(page, 1000)).toBe(page);
    const tags = '<a href="/a">'.repeat(20_000);
    expect((await rewritten(tags, 4096)).length).toBe(tags.length + 20_000 * '/proxy'.length);
  });
});
