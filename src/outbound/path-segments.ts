/** Resolves the segments of a path: empty ones and `.` are left out, and `..` takes the one before it away. */
export function resolveSegments(segments: readonly string[]): string[] {
  const resolved: string[] = [];
  for (const segment of segments) {
    if (segment === '..') resolved.pop();
    else if (segment !== '' && segment !== '.') resolved.push(segment);
  }
  return resolved;
}
