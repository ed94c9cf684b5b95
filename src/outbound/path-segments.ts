/** Resolves the segments of a path: empty segments and `.` are dropped, and `..` removes the segment before it. */
export function resolveSegments(segments: readonly string[]): string[] {
  const resolved: string[] = [];
  for (const segment of segments) {
    if (segment === '..') resolved.pop();
    else if (segment !== '' && segment !== '.') resolved.push(segment);
  }
  return resolved;
}
