// For modules in Node itself (bundlers do not know the condition `node-addons`): a CommonJS file among modules takes it milliseconds.
export const loadRe2 = () => process.getBuiltinModule('module').createRequire(import.meta.url)('re2js');
