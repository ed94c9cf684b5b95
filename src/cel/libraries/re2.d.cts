/** What loads the pattern engine, with the first call. */
export declare function createRequire(
  from: string,
): (name: 're2js') => typeof import('re2js', { with: { 'resolution-mode': 'import' }});
