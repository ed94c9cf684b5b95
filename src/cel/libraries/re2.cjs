// `require` loads at once, wherever it is called: in Node from ESM as from CommonJS, and in bundles. A static import would cost every user
// of expressions a quarter of a megabyte of source, which only patterns need.
exports.loadRe2 = () => require('re2js');
