/** The line of progress of `npm start`. */
export interface Progress {
  /** Shows a step, counted from 1, and a detail, such as the seconds that passed. */
  show: (step: number, detail?: string) => void;
  /** Removes the line from a terminal. */
  end: () => void;
}

/** Output of the line: standard output or a stub. */
export interface ProgressOutput {
  isTTY?: boolean;
  columns?: number;
  write: (text: string) => unknown;
}

/** Shows the step of `npm start` and the steps that remain in one line. */
export function createProgress(out?: ProgressOutput, now?: () => number): Progress;
