export function pagesWithCommands(): string[];
export function followPages(): AsyncGenerator<{ page: string; commands: string; output: string }>;
