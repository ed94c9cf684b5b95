import { describe, expect, it } from 'vitest';
import { rewriteLocation } from '../../../src/requests/relay/rewrite-location.js';

const proxied = { host: 'back.example:80', callersHost: 'front.example', prefix: '/proxy/to' };

describe('a URL of a proxied server', () => {
  it.each([
    ['gets the prefix if its path is absolute', '/a/b?c#d', '/proxy/to/a/b?c#d'],
    ['keeps the prefix that it has', '/proxy/to/a', '/proxy/to/a'],
    ['loses the scheme and host of the proxied server', 'http://back.example:80/a', '/proxy/to/a'],
    ['keeps the scheme and host of this server', 'https://front.example/a', 'https://front.example/proxy/to/a'],
    ['is kept if it has another host', 'https://other.example/a', 'https://other.example/a'],
    ['is kept if it is relative', '../a?b', '../a?b'],
    ['is kept if it is not split', 'mailto:a@b', 'mailto:a@b'],
    ['has no dot segments and no empty ones', '/a//b/./../c/', '/proxy/to/a/c/'],
    ['may leave the prefix', '/../../x', '/x'],
    ['has its path escaped', '/a b"<\xc3\xa9', '/proxy/to/a%20b%22%3C%C3%A9'],
    ['is escaped if it is relative, too', 'a b', 'a%20b'],
    ['has only the escapes that it needs with a prefix', '/a%2Fb%41', '/proxy/to/a/bA'],
    ['keeps its escapes without one', 'a%2Fb%41', 'a%2Fb%41'],
    ['keeps its query as it is', '/a?b c\xe9', '/proxy/to/a?b c\xe9'],
    ['has its fragment escaped', 'a#b c', 'a#b%20c'],
    ['loses an empty fragment and an empty authority', '//#', ''],
    ['gets a segment before a colon', './a:b', './a:b'],
    ['keeps a user', 'http://u:p@other.example/a', 'http://u:p@other.example/a'],
    ['has its host escaped', '//\xc3\xa9/a', '//%C3%A9/a'],
  ])('%s', (_title, url, expected) => expect(rewriteLocation(url, proxied)).toBe(expected));

  it.each([
    ['%x', 'parse "%x": invalid URL escape "%x"'],
    [':a', 'parse ":a": missing protocol scheme'],
    ['1:a', 'parse "1:a": first path segment in URL cannot contain colon'],
    ['/a\nb', 'parse "/a\\nb": net/url: invalid control character in URL'],
  ])('is refused with the reason if it cannot be parsed: %j', (url, problem) =>
    expect(rewriteLocation(url, proxied)).toEqual({ problem }),
  );
});
