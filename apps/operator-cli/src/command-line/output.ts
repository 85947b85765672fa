import { durationText } from '@xs2a/doctor/durations';

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly perSecond: number;
  readonly secondsLeft: number;
  /** The unit of the progress, for example payments; the default is events. */
  readonly what?: string;
}

/** Formats a number with separators: `1,214`. */
export const whole = (number: number): string => Math.round(number).toLocaleString('en-US');

/** Formats progress as `[#####-----] 50 %  5,000 of 10,000 events  61,000/s  1 s left`. */
export const progressText = ({ done, total, perSecond, secondsLeft, what = 'events' }: Progress): string => {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const bar = '#'.repeat(Math.round(share * 20)).padEnd(20, '-');
  const left = Number.isFinite(secondsLeft) ? `  ${durationText(Math.max(0, secondsLeft) * 1000)} left` : '';
  const rate = Number.isFinite(perSecond) ? `  ${whole(perSecond)}/s` : '';
  return `[${bar}] ${Math.floor(share * 100)} %  ${whole(done)} of ${whole(total)} ${what}${rate}${left}`;
};

/** Formats a count with its noun: `1 event`, `2 events`. */
export const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;

const countCharacters = (text: string): number => [...text].length;

type Cell = string | number;

/** Formats rows under their headings. Columns are as wide as necessary, and numbers are aligned on the right. */
export const columns = (headings: readonly string[], rows: readonly (readonly Cell[])[]): string => {
  const widths = headings.map((heading, index) =>
    Math.max(countCharacters(heading), ...rows.map((row) => countCharacters(String(row[index] ?? '')))),
  );
  const line = (row: readonly Cell[]): string =>
    row
      .map((cell, index) => {
        const space = ' '.repeat((widths[index] ?? 0) - countCharacters(String(cell)));
        return typeof cell === 'number' ? space + String(cell) : String(cell) + space;
      })
      .join('  ')
      .trimEnd();
  return [line(headings), ...rows.map(line)].join('\n');
};

/**
 * Formats rows as in {@link columns}, with each value under its heading and missing values left blank. If there
 * are no rows and `empty` is given, returns `empty`.
 */
export const table = <Row>(
  rows: readonly Row[],
  cells: Readonly<Record<string, (row: Row) => Cell | null | undefined>>,
  empty?: string,
): string =>
  rows.length === 0 && empty !== undefined
    ? empty
    : columns(
        Object.keys(cells),
        rows.map((row) => Object.values(cells).map((cell) => cell(row) ?? '')),
      );

/**
 * Prints the output of an `xs2a` command: text for people, or JSON (`--json`) for programs. Results are written to stdout; progress and
 * warnings are written to stderr, so that a program can parse stdout.
 */
export class Output {
  private shownAt = Number.NEGATIVE_INFINITY;
  private hasBar = false;

  constructor(readonly json: boolean) {}

  /** Prints a result: as text, or with `--json` as one JSON value on its own line. */
  show(value: unknown, text: string): void {
    this.progressEnds();
    process.stdout.write(`${this.json ? JSON.stringify(value) : text}\n`);
  }

  /** Prints rows: as a single text, or with `--json` as one JSON value per line. */
  showRows(rows: readonly unknown[], text: string): void {
    if (this.json) for (const row of rows) this.show(row, '');
    else this.show(undefined, text);
  }

  /** Prints text that is omitted with `--json`. */
  say(text: string): void {
    if (!this.json) this.show(undefined, text);
  }

  /** Prints a warning to stderr; with `--json` as `{"warning": text}` on one line. */
  warn(text: string): void {
    this.progressEnds();
    process.stderr.write(`${this.json ? JSON.stringify({ warning: text }) : text}\n`);
  }

  /** Redraws a progress bar on a terminal; otherwise prints a line every five seconds. */
  progress(progress: Progress): void {
    const bar = process.stderr.isTTY && !this.json;
    const now = performance.now();
    if (now - this.shownAt < (bar ? 100 : 5000) && progress.done < progress.total) return;
    this.shownAt = now;
    this.hasBar = bar;
    if (this.json) process.stderr.write(`${JSON.stringify({ progress })}\n`);
    else process.stderr.write(bar ? `\r\u001b[K${progressText(progress)}` : `${progressText(progress)}\n`);
  }

  /**
   * Starts to measure the rate of a long operation. Returns a function that shows its progress; the displayed
   * total grows if it was too low.
   */
  measure(what?: string): (done: number, total: number) => void {
    const begun = performance.now();
    return (done, estimate) => {
      const total = Math.max(done, estimate);
      const perSecond = (done * 1000) / (performance.now() - begun);
      this.progress({ done, total, perSecond, secondsLeft: (total - done) / perSecond, what });
    };
  }

  /** Removes the progress bar. */
  progressEnds(): void {
    if (this.hasBar) process.stderr.write('\r\u001b[K');
    this.hasBar = false;
  }
}
