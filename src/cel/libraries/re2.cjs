// What `createRequire` of node:module is in Node, wherever else it runs: for bundles, which have the pattern engine beside the rest,
// and for CommonJS. `require` loads at once, when it is called; a static import would cost every user of expressions a quarter of a
// megabyte of source, which only patterns need. In modules Node has its own: a CommonJS file among them takes it milliseconds.
exports.createRequire = () => () => require('re2js');
