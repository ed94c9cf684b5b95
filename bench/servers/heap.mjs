// Loaded into another program before it starts: reports the size of its collected heap to the parent process.
process.on('message', () => {
  globalThis.gc();
  process.send(process.memoryUsage().heapUsed);
});
process.channel?.unref();
