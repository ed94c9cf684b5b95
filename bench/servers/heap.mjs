// Loaded into another program before it begins: it reports what its heap holds, collected, to the process that has started it.
process.on('message', () => {
  globalThis.gc();
  process.send(process.memoryUsage().heapUsed);
});
process.channel?.unref();
