// The target of `#re2` in Node. It is a file, because jest finds no module of Node there.
export { createRequire } from 'node:module';
