/** The program to start, and its arguments. */
export interface NpmCommand {
  file: string;
  args: string[];
}

/** How npm is started without a shell, on Windows too (npm.cjs). `node` runs it there in place of the running one. */
export function npmCommand(args: string[], options?: { node?: string; platform?: NodeJS.Platform }): NpmCommand;
