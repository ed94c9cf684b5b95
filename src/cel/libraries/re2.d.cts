/** Returns a function that loads the pattern engine. @param from the URL of the importing module */
export declare function createRequire(
  from: string,
): (name: 're2js') => typeof import('re2js', { with: { 'resolution-mode': 'import' }});
