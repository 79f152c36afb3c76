/** Progress line of `npm start`. */
export interface Progress {
  /** Shows a step, counted from 1, and a detail such as the elapsed seconds. */
  show: (step: number, detail?: string) => void;
  /** Removes the progress line from a terminal. */
  end: () => void;
}

/** Standard output or a test's replacement. */
export interface ProgressOutput {
  isTTY?: boolean;
  columns?: number;
  write: (text: string) => unknown;
}

/** Shows the current and remaining steps of `npm start` in one line. */
export function createProgress(out?: ProgressOutput, now?: () => number): Progress;
