/** Program that starts npm, with its arguments. */
export interface NpmCommand {
  file: string;
  args: string[];
}

/**
 * Returns a command that starts npm without a shell.
 * @param options.node Node.js that runs npm on Windows. Defaults to the running Node.js.
 */
export function npmCommand(args: string[], options?: { node?: string; platform?: NodeJS.Platform }): NpmCommand;
