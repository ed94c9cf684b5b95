// What `createRequire` of Node's `module` is there: see docs/decisions/0012-expressions.md. `require` loads at once, wherever it is called: in
// Node from CommonJS, and in bundles. A static import would cost every user of expressions a quarter of a megabyte of source, which only patterns need.
exports.createRequire = () => () => require('re2js');
