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
    [
      'are rewritten if they are absolute paths',
      '<pre><a href="/a">x</a></pre>',
      '<pre><a href="/proxy/a">x</a></pre>',
    ],
    ['of other hosts are kept', '<a href="https://b/c">', '<a href="https://b/c">'],
    ['are found in upper and lower case', "<IMG SRC='/a' Alt=b>", '<img src="/proxy/a" alt="b">'],
    ['are found without quotes', '<a href=/a/b>', '<a href="/proxy/a/b">'],
    ['without a value are kept', '<a href disabled>', '<a href="" disabled="">'],
    ['are rewritten in self-closing tags', '<link href="/a" />', '<link href="/proxy/a"/>'],
    [
      'with character references are kept',
      '<a href="/a?b=1&amp;c=2&copy;&d">',
      '<a href="/proxy/a?b=1&amp;c=2&copy;&amp;d">',
    ],
    ['are found if written as character references', '<a href="&#x2f;a&#47;b">', '<a href="/proxy/a/b">'],
    [
      'are found after an attribute with brackets',
      `<a title='"<>' href="/a">`,
      '<a title="&#34;&lt;&gt;" href="/proxy/a">',
    ],
    ['in other attributes are kept', '<a name="/a"><p href="/a">', '<a name="/a"><p href="/a">'],
    ['are found among other characters than ASCII', '<a title="é">日本</a>', '<a title="é">日本</a>'],
    [
      'within scripts are kept',
      '<script src="/a">"<a href=\\"/b\\">"</script><a href="/c">',
      '<script src="/proxy/a">"<a href=\\"/b\\">"</script><a href="/proxy/c">',
    ],
    [
      'within comments are kept',
      '<!-- <a href="/a"> --><a href="/b"><!----><a href="/c">',
      '<!-- <a href="/a"> --><a href="/proxy/b"><!----><a href="/proxy/c">',
    ],
    [
      'are found after declarations',
      '<!DOCTYPE html><?x <a?></a ><a href="/b">1 < 2 <3',
      '<!DOCTYPE html><?x <a?></a ><a href="/proxy/b">1 < 2 <3',
    ],
    ['in an incomplete tag are dropped with the tag', '<p>a<a href="/a', '<p>a'],
    [
      'within noscript are kept',
      '<noscript><a href="/a"></noscript><a href="/b">',
      '<noscript><a href="/a"></noscript><a href="/proxy/b">',
    ],
    ['are not expected at the end of the page', 'a<', 'a<'],
    ['in a tag named constructor are kept', '<constructor href="/a">', '<constructor href="/a">'],
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
