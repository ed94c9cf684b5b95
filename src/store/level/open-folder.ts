import { ENCODINGS, type LevelDatabase } from './database.js';

/**
 * Makes the database of a folder, which is not opened yet. The package is loaded here, because only those who keep data in a folder need it.
 * @throws Error when the package `classic-level` is not installed.
 */
export async function openFolder(path: string): Promise<LevelDatabase> {
  const { ClassicLevel } = await loadClassicLevel();
  return new ClassicLevel(path, ENCODINGS);
}

async function loadClassicLevel() {
  try {
    return await import('classic-level');
  } catch (error) {
    throw new Error('keeping data in a folder needs the package classic-level: npm install classic-level', {
      cause: error,
    });
  }
}
