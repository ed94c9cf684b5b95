/** Makes what loads the pattern engine when it is called. @param from The URL of the module that asks. */
export declare function createRequire(
  from: string,
): (name: 're2js') => typeof import('re2js', { with: { 'resolution-mode': 'import' }});
