import { expect, it } from 'vitest';
import { FileError, readTextFile, writePrivateFile } from '../../src/cli/files.js';

it('names the file that it cannot read or write', async () => {
  await expect(readTextFile('/nowhere/at/all')).rejects.toThrow('open /nowhere/at/all: no such file or directory');
  await expect(readTextFile('/')).rejects.toThrow('read /: is a directory');
  const writing = writePrivateFile('/nowhere/at/all', 'text');
  await expect(writing).rejects.toThrow('write /nowhere/at/all: no such file or directory');
  await expect(writing).rejects.toBeInstanceOf(FileError);
});
