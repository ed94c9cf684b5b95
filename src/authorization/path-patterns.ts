const ALL = '*';

/** Returns whether a rule's path pattern (`url`), which may end in `*`, covers a path or the path pattern of another rule. */
export function urlCovers(url: string, path: string): boolean {
  const prefix = url === path ? undefined : prefixOf(url);
  return url === path || (prefix !== undefined && path.startsWith(prefix));
}

/** Returns the prefix that a rule's path pattern matches; undefined when the pattern does not end in `*`. */
export function prefixOf(url: string): string | undefined {
  let end = url.length;
  while (end > 0 && url[end - 1] === ALL) end--;
  return end === url.length ? undefined : url.slice(0, end);
}
