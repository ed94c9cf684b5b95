// Replaces `createRequire` of Node's `module` in CommonJS and in bundles, see docs/decisions/0012-expressions.md. `require` loads the package
// synchronously when it is called. A static import would load a quarter of a megabyte of source for all expressions, which only patterns need.
exports.createRequire = () => () => require('re2js');
