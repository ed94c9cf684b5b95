/** The pattern engine, loaded with the first call. */
export declare function loadRe2(): typeof import('re2js', { with: { 'resolution-mode': 'import' }});
