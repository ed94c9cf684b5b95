export function findChromium(): string | undefined;
export function runInChromium(chromium: string, code: string): Promise<unknown>;
